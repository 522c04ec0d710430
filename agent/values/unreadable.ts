import { HoldfastError } from '../errors/error';

/**
 * Encoding of a payload that a codec could not decode, or that a storage did not give. The encoded data is not kept.
 * `was` names its encoding, or `stored` for one that was to come from a storage.
 */
export const UNREADABLE = {
  encoding: 'holdfast/unreadable',
  was: 'was',
  stored: 'holdfast/stored',
  problem: 'problem',
} as const;

/** Replaces a value whose payload could not be decoded. JSON cannot produce this class, so no client can send one. */
export class Unreadable {
  /** @param problem what is wrong and what was expected, in one sentence, never the data */
  constructor(readonly problem: string) {}
}

/**
 * The value, unless it could not be decoded.
 * @throws HoldfastError `UnreadablePayload`
 */
export function readable<T>(value: T, what: string): T {
  if (value instanceof Unreadable) throw new HoldfastError('UnreadablePayload', { what, problem: value.problem });
  return value;
}
