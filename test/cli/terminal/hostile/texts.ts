/** Clears the screen, blinks, sets the title, links, writes the clipboard; turns, hides, overwrites, deletes. */
export const EVIL = [
  'evil\x1b[2J\x1b[5;31m\x1b]0;t\x07\x1b]8;;http://a\x1b\\\x1b]52;c;ZXZpbA==\x07',
  '\u009b31m\u009d0;t\u009c\x90q\x9c\u202e\u200b\u2066\u2069\ufeff\u00ad\u{e0041}\u{e0101}\u2028\x7f\b\x0c',
].join('');
/** A forged line about something that did not happen. */
export const FORGED = 'approved t9.9 by root';
/** A name that would start a new line. */
export const NAME = `${EVIL}\r\n${FORGED}\n${FORGED}\r.`;

/** Checks that a text has no control sequences, nothing hidden, and no forged line. */
export function expectPlain(what: string, forged: 'names' | 'texts' = 'names'): void {
  // All control characters except line feed and tab, and characters that no screen shows.
  expect(what.match(/[^\P{Cc}\n\t]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|\p{Cs}/gu)).toBeNull();
  if (forged === 'names') expect(what.match(new RegExp(`^ {0,4}${FORGED}`, 'gm'))).toBeNull();
}
