import { visibleJson, visibleName } from '../../../agent/values/visible';

/** Names that look like our own notes: `(5 bytes)` after a name, `[cut: …]`, `(empty folder)`. */
const LIKE_NOTES = /^["([\s]|[\s)]$/;
const QUOTED = /(^|\/)("(?:[^"\\]|\\.)*")(?=\/|$)/g;

/** A name as one line that hides nothing: unusual names become JSON strings, which {@link pathOf} reads back. */
export function shownName(name: string): string {
  return visibleName(name) !== name || LIKE_NOTES.test(name) ? visibleJson(name) : name;
}

/** A path that may contain names as {@link shownName} shows them. */
export function pathOf(shown: string): string {
  return shown.replace(QUOTED, (whole, before: string, quoted: string) => {
    try {
      return before + JSON.parse(quoted);
    } catch {
      return whole;
    }
  });
}
