import { utf8Bytes } from '../values/json';

/** Bytes of broken arguments that are kept for people: more than a person reads, and less than a large file in them. */
export const MAX_RAW_INPUT = 16 * 1024;

/** The text of broken arguments as it is kept: its beginning, and a note of the full size if that is not all. */
export function rawInputOf(text: string): string {
  const bytes = utf8Bytes(text);
  if (bytes <= MAX_RAW_INPUT) return text;
  return `${head(text)}… [cut: the first ${MAX_RAW_INPUT} of ${bytes} bytes]`;
}

/** The beginning that has at most so many bytes. It ends between two code points. */
function head(text: string): string {
  let length = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > MAX_RAW_INPUT) break;
    length += character.length;
  }
  return text.slice(0, length);
}
