/** The longest timer of Node, 24.8 days: a server that asks for more means never. */
const LONGEST = 2 ** 31 - 1;

/**
 * Milliseconds that a server asks to wait, from `retry-after-ms` or from `retry-after` in seconds or as an HTTP date.
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const exact = positive(headers?.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return positive(String(Number(value) * 1000));
  return positive(String(Date.parse(value) - now));
}

function positive(text: string | null | undefined): number | undefined {
  const value = text ? Math.round(Number(text)) : Number.NaN;
  return value > 0 ? Math.min(value, LONGEST) : undefined;
}
