import { visibleName } from './visible';

/** A text as one shell word. Run ids may contain anything, and commands are copied, so they must not hide anything. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (visibleName(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${Array.from(text, escaped).join('')}'`;
}

/** The form that bash and zsh read between `$'` and `'`. */
function escaped(character: string): string {
  if (/^['\\]$/.test(character)) return `\\${character}`;
  if (visibleName(character) === character) return character;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}
