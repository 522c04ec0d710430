import { visibleName } from '../../agent/values/visible';

/** A text as one word of a shell: ids of runs may hold anything, and commands are copied, so that nothing may be hidden in them. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (visibleName(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${Array.from(text, escaped).join('')}'`;
}

/** As bash and zsh read it between `$'` and `'`. */
function escaped(character: string): string {
  if (/^['\\]$/.test(character)) return `\\${character}`;
  if (visibleName(character) === character) return character;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}
