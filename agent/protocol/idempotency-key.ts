/** Hexadecimal digits of the hash of the arguments: 128 bits, as a UUID has. */
const DIGITS = 32;

/**
 * Names one call of a run with the arguments that it runs with (`hash`: their SHA-256): what must not act twice hangs on it, and
 * the event of a service call is named by it.
 */
export function keyOf(
  { chainId }: { chainId: string },
  { toolUseId, hash }: { toolUseId: string; hash: string },
): string {
  return `${chainId}/${hash.slice(0, DIGITS)}/${toolUseId}`;
}

/** A text that is such a key, of whatever run. */
const KEY = /^([\da-f-]{36})\/[\da-f]{32}\/(t\d+\.\d+)$/;

/** The parts of a key; `undefined` for any other text. */
export function partsOfKey(key: string): { chainId: string; toolUseId: string } | undefined {
  const [, chainId, toolUseId] = KEY.exec(key) ?? [];
  return chainId === undefined || toolUseId === undefined ? undefined : { chainId, toolUseId };
}
