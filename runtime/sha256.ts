import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../agent/values/json';

/** SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * Identifies the arguments of a call, whatever the order of the fields: approvals and idempotency keys depend on it.
 */
export function hashOfArguments(input: JsonObject): string {
  return sha256(canonicalJson(input));
}
