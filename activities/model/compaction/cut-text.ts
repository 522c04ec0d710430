import type { CountTokens } from '../window/count-tokens';

/** Characters of a token that is longer than nearly all others. */
const LONG_TOKEN = 20;

/** As much of the beginning of a text as has at most `max` tokens, on a code point boundary. */
export function cutText(text: string, max: number, count: CountTokens): string {
  // What follows cannot fit, and would only take time to count.
  const characters = [...text.slice(0, max * LONG_TOKEN)];
  const whole = characters.join('');
  if (whole.length === text.length && count(whole).tokens <= max) return text;
  let fits = 0;
  let tooLong = characters.length + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (count(characters.slice(0, middle).join('')).tokens <= max) fits = middle;
    else tooLong = middle;
  }
  return characters.slice(0, fits).join('');
}
