import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../../agent/json';

/** Characters of a key that are kept as they are. */
const MAX_KEY = 500;

/**
 * What a remembered decision holds for, from what `rememberBy` gave. No text, or an empty one, which would stand for every
 * call of the tool: these very arguments alone. A model that leaves a field empty must not widen what a person granted.
 */
export function grantKey(text: unknown, input: JsonObject): string {
  if (typeof text !== 'string' || text === '') return keyOfArguments(input);
  return text.length <= MAX_KEY ? text : hashed(text);
}

/** Stands for these very arguments. Permission rests on it, hence no hash that somebody could build collisions of. */
export function keyOfArguments(input: JsonObject): string {
  return hashed(canonicalJson(input));
}

function hashed(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
