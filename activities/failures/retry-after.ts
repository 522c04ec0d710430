/** The longest timer of Node, 24.8 days: a server that asks for more means never. */
const LONGEST = 2 ** 31 - 1;

/** A date that HTTP allows has the time of day. JavaScript reads a year in almost any text with a number. */
const TIME_OF_DAY = /\d:\d\d/;

/**
 * Milliseconds that a server asks to wait, from `retry-after-ms` or from `retry-after` in seconds or as an HTTP date.
 *
 * @param now milliseconds since 1970. A date counts from the `date` of the answer instead, if it has one: the clocks of
 * both machines may differ by more than the wait
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const exact = positive(headers?.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return positive(String(Number(value) * 1000));
  return positive(String(dateIn(value) - (dateIn(headers?.get('date')) || now)));
}

function dateIn(text: string | null | undefined): number {
  return text && TIME_OF_DAY.test(text) ? Date.parse(text) : Number.NaN;
}

function positive(text: string | null | undefined): number | undefined {
  const value = text ? Math.round(Number(text)) : Number.NaN;
  return value > 0 ? Math.min(value, LONGEST) : undefined;
}
