import { visibleJson, visibleName } from '../../../agent/values/visible';

/** What would look like a note of ours: `(5 bytes)` behind a name, `[cut: …]`, `(empty folder)`. */
const LIKE_NOTES = /^["([\s]|[\s)]$/;
const QUOTED = /(^|\/)("(?:[^"\\]|\\.)*")(?=\/|$)/g;

/** A name as one line that hides nothing: unusual ones become JSON strings, which {@link pathOf} reads back. */
export function shownName(name: string): string {
  return visibleName(name) !== name || LIKE_NOTES.test(name) ? visibleJson(name) : name;
}

/** A path in which names may stand as {@link shownName} shows them. */
export function pathOf(shown: string): string {
  return shown.replace(QUOTED, (whole, before: string, quoted: string) => {
    try {
      return before + JSON.parse(quoted);
    } catch {
      return whole;
    }
  });
}
