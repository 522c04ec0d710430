import type { StreamDelta } from '../../../agent/protocol/stream';
import type { BusConfig } from '../../config/bus';

const PREFIX = 'holdfast:';
/** The field of an entry that has its deltas. */
const FIELD = 'd';
const IS_TEXT: Readonly<Record<StreamDelta['type'], readonly string[]>> = {
  'stream.text': ['text'],
  'stream.reasoning': ['text'],
  'stream.tool': ['name', 'arguments'],
  'stream.clear': [],
  'stream.complete': [],
  'tool.progress': ['toolUseId'],
};

/** The key of a run's stream, as Redis names it in its answers: UTF-8 has no halves of characters. */
export function keyOf({ prefix = PREFIX }: BusConfig, namespace: string, id: string): string {
  return `${prefix}stream:${namespace}/${id}`.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The key of a stream of no run. */
export function otherKey({ prefix = PREFIX }: BusConfig, name: string): string {
  return `${prefix}${name}`;
}

/** An entry with deltas of one run, in order. */
export function entryOf(deltas: readonly StreamDelta[]): Record<string, string> {
  return { [FIELD]: JSON.stringify(deltas) };
}

/** The deltas of an entry. Anyone may have written it: what is none of this run is left out. */
export function deltasIn(entry: Readonly<Record<string, unknown>>, id: string): StreamDelta[] {
  const json = Object.hasOwn(entry, FIELD) ? entry[FIELD] : undefined;
  if (typeof json !== 'string') return [];
  try {
    const found: unknown = JSON.parse(json);
    return Array.isArray(found) ? found.filter((delta): delta is StreamDelta => isDelta(delta, id)) : [];
  } catch {
    return [];
  }
}

function isDelta(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const delta = value as Record<string, unknown>;
  const { type, from = 0, after = 0 } = delta;
  if (typeof type !== 'string' || !Object.hasOwn(IS_TEXT, type) || delta.id !== id) return false;
  const texts = ['callId', ...IS_TEXT[type as StreamDelta['type']]];
  const counts = ['turn', 'attempt', 'seq', ...(type === 'stream.tool' ? ['index'] : [])];
  return (
    texts.every((key) => typeof delta[key] === 'string') &&
    counts.every((key) => Number.isInteger(delta[key])) &&
    Number.isInteger(from) &&
    Number.isInteger(after) &&
    (type !== 'tool.progress' || typeof delta.progress === 'number')
  );
}

/** Whether an entry's id, `<milliseconds>-<number>`, is before another one. */
export function isBefore(one: string, other: string): boolean {
  const [ms = 0, count = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherCount = 0] = other.split('-').map(Number);
  return ms < otherMs || (ms === otherMs && count < otherCount);
}
