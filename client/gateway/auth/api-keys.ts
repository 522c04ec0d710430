import { createHash, randomBytes } from 'node:crypto';
import { defined } from '../../../agent/values/defined';
import type { GatewayKey } from '../../../runtime/config/gateway';
import type { Principal } from './principal';

/** Begins every API key, so that scanners for leaked secrets can find it. */
const PREFIX = 'hf_';
/** Random bytes of a key: it cannot be guessed, so a fast hash protects it. */
const BYTES = 32;

/** A new API key, and what the configuration keeps of it. */
export function newKey(): { key: string; hash: string } {
  const key = PREFIX + randomBytes(BYTES).toString('base64url');
  return { key, hash: hashOf(key) };
}

/** Finds the principal of an API key. The keys are compared by hash: how long it takes says nothing about them. */
export function keyReader(keys: readonly GatewayKey[]): (token: string) => Principal | undefined {
  const known = new Map(keys.map((key) => [key.hash, principalOf(key)]));
  return (token) => (token.startsWith(PREFIX) ? known.get(hashOf(token)) : undefined);
}

function principalOf({ name, tenant, user, scopes, roles, hash }: GatewayKey): Principal {
  return { user: user ?? name, scopes: new Set(scopes), roles: roles ?? [], credential: hash, ...defined({ tenant }) };
}

function hashOf(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
