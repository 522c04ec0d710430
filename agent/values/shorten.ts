import { visible } from './visible';

/** One line of at most `max` characters, in which nothing is hidden. */
export function shorten(text: string, max: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
