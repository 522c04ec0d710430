import { visible } from './visible';

/** What a cut may leave of an emoji: half a character, a joiner, tags without an end. */
const LEFT_OVER = /[\p{Cs}\p{Default_Ignorable_Code_Point}]+$/u;

/** One line of at most `max` characters, without hidden characters. */
export function shorten(text: string, max: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(LEFT_OVER, '')}…`;
}
