import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../agent/values/json';

/** SHA-256 of a text, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Names the arguments of a call: approvals and idempotency keys rest on it, whatever the order of the fields. */
export function hashOfArguments(input: JsonObject): string {
  return sha256(canonicalJson(input));
}
