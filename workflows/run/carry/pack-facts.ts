import { deflateSync } from 'fflate';
import { type LeftFacts, MAX_LEFT } from '../../../agent/protocol/facts/left-facts';

/**
 * As deflated JSON; `undefined` where they are too large: then readers query the worker.
 * @param room bytes that they may take
 */
export function packFacts(left: LeftFacts, room: number): Uint8Array | undefined {
  const json = new TextEncoder().encode(JSON.stringify(left));
  if (json.length > MAX_LEFT) return undefined;
  const packed = deflateSync(json, { level: 4 });
  return packed.length > room ? undefined : packed;
}
