/** Hexadecimal digits of the hash of the arguments: 128 bits, as in a UUID. */
const DIGITS = 32;

/**
 * The idempotency key of one call of a run with the arguments that it runs with (`hash`: their SHA-256). It is also the
 * id of the event of a service call.
 */
export function keyOf(
  { chainId }: { chainId: string },
  { toolUseId, hash }: { toolUseId: string; hash: string },
): string {
  return `${chainId}/${hash.slice(0, DIGITS)}/${toolUseId}`;
}

/** The form of such a key, from any run. */
const KEY = /^([\da-f-]{36})\/[\da-f]{32}\/(t\d+\.\d+)$/;

/** The parts of a key; `undefined` for any other text. */
export function partsOfKey(key: string): { chainId: string; toolUseId: string } | undefined {
  const [, chainId, toolUseId] = KEY.exec(key) ?? [];
  return chainId === undefined || toolUseId === undefined ? undefined : { chainId, toolUseId };
}
