/**
 * What no screen shows, or what turns the text around it: controls, bidirectional marks, zero-width characters, fillers,
 * tags, variation selectors, halves of characters.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]`;
/** Scripts that are written with joiners between letters. */
const JOINED = `[${[
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`;
const JOINER = String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`;

const PICTURE = String.raw`\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?`;
/** Whole emoji: joined ones, keys, and the three flags that are written with tags. */
const EMOJI = [
  ...['gbeng', 'gbsct', 'gbwls'].map((flag) => `\\u{1f3f4}${tags(flag)}\\u{e007f}`),
  String.raw`${PICTURE}(?:\u200d${PICTURE})*`,
  String.raw`[#*0-9]\ufe0f\u20e3`,
].join('|');

const MAY_HIDE = new RegExp(UNSEEN, 'u');
const IN_TEXT = new RegExp(String.raw`\r\n|[\n\t]|${EMOJI}|(${JOINER})|${UNSEEN}`, 'gu');
const IN_JSON = new RegExp(String.raw`\n|${EMOJI}|${UNSEEN}`, 'gu');
const ONE_UNSEEN = new RegExp(`^${UNSEEN}$`, 'u');

/**
 * A text of unknown origin as people may read it before they decide: what it hides stands there as `‹U+202E›`, and nothing
 * in it steers a terminal. Line feeds, tabs, emoji, and joiners between letters that need them stay. Applied twice it
 * changes nothing more.
 */
export function visible(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  return text.replace(IN_TEXT, (found: string, joiner?: string) => {
    if (found === '\r\n') return '\n';
    return joiner !== undefined || stays(found) ? found : `‹U+${hex(found.codePointAt(0) ?? 0).toUpperCase()}›`;
  });
}

/** An id, a name or a cell: besides, it is one line, and does not look like several columns. */
export function visibleName(text: string): string {
  return visible(text).replace(/[\n\t]/g, (found) => `‹U+${hex(found.charCodeAt(0)).toUpperCase()}›`);
}

/** A value as JSON that hides nothing from whoever decides on it, joiners between letters included, and reads back as the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleJsonText(JSON.stringify(value, null, indent));
}

/** The same for what is JSON already, be it several lines of it. */
export function visibleJsonText(json: string): string {
  if (!MAY_HIDE.test(json)) return json;
  return json.replace(IN_JSON, (found) => {
    if (stays(found)) return found;
    return Array.from({ length: found.length }, (_, i) => `\\u${hex(found.charCodeAt(i))}`).join('');
  });
}

function stays(found: string): boolean {
  return found === '\n' || found === '\t' || !ONE_UNSEEN.test(found);
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

function tags(letters: string): string {
  return Array.from(letters, (letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join('');
}
