/**
 * Characters that no screen shows, or that change the direction of the text around them: controls, bidirectional marks,
 * zero-width characters, fillers, tags, variation selectors, halves of characters.
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
/** Whole emoji: joined ones, keycaps, and the three flags that are written with tags. */
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
 * An untrusted text in a form that is safe to read before a decision: hidden characters are shown as `‹U+202E›`, and
 * none of it controls a terminal. Line feeds, tabs, emoji, and joiners between letters that need them stay. Applied a
 * second time it changes nothing.
 */
export function visible(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  return text.replace(IN_TEXT, (found: string, joiner?: string) => {
    if (found === '\r\n') return '\n';
    return joiner !== undefined || stays(found) ? found : `‹U+${hex(found.codePointAt(0) ?? 0).toUpperCase()}›`;
  });
}

/** The same for an id, a name or a cell: it is also one line and cannot look like several columns. */
export function visibleName(text: string): string {
  return visible(text).replace(/[\n\t]/g, (found) => `‹U+${hex(found.charCodeAt(0)).toUpperCase()}›`);
}

/**
 * A value as JSON that hides nothing from the reader, not even joiners between letters, and parses to the same value.
 */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleJsonText(JSON.stringify(value, null, indent));
}

/** The same for text that is already JSON, also with several lines. */
export function visibleJsonText(json: string): string {
  if (!MAY_HIDE.test(json)) return json;
  return json.replace(IN_JSON, (found) => {
    if (stays(found)) return found;
    return Array.from({ length: found.length }, (_, i) => `\\u${hex(found.charCodeAt(i))}`).join('');
  });
}

/**
 * A text for a model, without hidden characters: what a person who looks at it does not see must not instruct the model.
 * Line feeds, tabs, emoji, and joiners between letters that need them stay; control characters become spaces.
 */
export function withoutHidden(text: string): string {
  if (!MAY_HIDE.test(text)) return text;
  return text.replace(IN_TEXT, (found: string, joiner?: string) => {
    if (joiner !== undefined || stays(found) || found === '\r\n' || found === '\r') return found;
    return /^[\p{Cc}\u2028\u2029]$/u.test(found) ? ' ' : '';
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
