const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’.-]*[\p{L}\p{N}])?/gu;

/** Separates the title of a window from the name of its program. */
const SEPARATOR = /\s+[-–—|·•]\s+/;

/** Maximum characters of a name, extension included. */
const MAX = 60;

/** Words of the first line that looks like a title. Empty if there is none. */
export function titleWords(text: string): string[] {
  const lines = text.split('\n').map((line) => wordsOf(line.split(SEPARATOR, 1)[0] ?? ''));
  return lines.find((words) => words.length > 1 && hasRealWord(words)) ?? lines.find(hasRealWord) ?? [];
}

/** `Meeting_Notes.png`: at most 60 characters, and not one of `taken` (ignoring case). */
export function fileName(words: readonly string[], extension: string, taken: ReadonlySet<string>): string {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  for (let n = 1; ; n++) {
    const name = joined(words, (n === 1 ? '' : `_${n}`) + extension);
    if (!used.has(name.toLowerCase())) return name;
  }
}

function joined(words: readonly string[], ending: string): string {
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word.slice(0, MAX - ending.length) : `${name}_${word}`;
    if (longer.length + ending.length > MAX) break;
    name = longer;
  }
  return name + ending;
}

function wordsOf(line: string): string[] {
  return (line.match(WORD) ?? []).map((word) => word.replace(/['’.]/g, ''));
}

function hasRealWord(words: readonly string[]): boolean {
  return words.some((word) => (word.match(/\p{L}/gu) ?? []).length >= 3);
}
