import type { AgentState, BatchCall } from '../../agent/state/state';
import { hashOf } from '../state/waits';

/** Hexadecimal digits of the hash of the arguments: 128 bits, as a UUID has. */
const DIGITS = 32;

/**
 * Names one call of a run with the arguments that it runs with: what must not act twice hangs on it, and the event of a
 * service call is named by it.
 */
export function idempotencyKey(state: Pick<AgentState, 'chainId'>, call: BatchCall): string {
  return keyOf(state, { toolUseId: call.toolUseId, hash: hashOf(call) });
}

/** The key of a call by its id and the hash of its arguments. */
export function keyOf({ chainId }: Pick<AgentState, 'chainId'>, call: { toolUseId: string; hash: string }): string {
  return `${chainId}/${call.hash.slice(0, DIGITS)}/${call.toolUseId}`;
}

/** A text that is such a key, of whatever run. */
const KEY = /^([\da-f-]{36})\/[\da-f]{32}\/(t\d+\.\d+)$/;

/** The parts of a key; `undefined` for any other text. */
export function partsOfKey(key: string): { chainId: string; toolUseId: string } | undefined {
  const [, chainId, toolUseId] = KEY.exec(key) ?? [];
  return chainId === undefined || toolUseId === undefined ? undefined : { chainId, toolUseId };
}
