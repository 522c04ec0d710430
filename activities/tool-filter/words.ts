import { inWords } from '../../agent/tool-filter/tool-text';

/** Words without meaning for a search. Most are of requests ("please", "could you"), some of descriptions. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had has have how i if in into ' +
    'is it its just like me my need of on or our please should so some than that the their them then there these they ' +
    'this to tool tools us use used using want was we were what when where which who will with would you your'
  ).split(' '),
);

/**
 * Verbs and nouns with which requests and tools name the same thing. A request that has one of a line also finds tools
 * that have another one, with less weight.
 */
const SAME: readonly (readonly string[])[] = [
  ['get', 'fetch', 'read', 'retrieve', 'show', 'open', 'view', 'load', 'see', 'print', 'display'],
  ['list', 'show', 'display', 'all', 'which', 'enumerate', 'contents'],
  ['find', 'search', 'look', 'locate', 'query', 'lookup', 'match'],
  ['create', 'add', 'make', 'new', 'insert', 'start', 'write', 'generate', 'set'],
  ['delete', 'remove', 'drop', 'erase', 'clear', 'forget', 'cancel'],
  ['update', 'edit', 'change', 'modify', 'replace', 'set', 'fix'],
  ['move', 'rename'],
  ['file', 'document', 'txt', 'md', 'json'],
  ['directory', 'folder', 'path'],
  ['send', 'post', 'message', 'notify', 'mail', 'email'],
  ['web', 'url', 'internet', 'page', 'website', 'http', 'https', 'site'],
  ['image', 'picture', 'photo', 'png', 'jpg', 'media', 'screenshot'],
  ['time', 'clock', 'hour', 'oclock', 'timezone', 'zone'],
  ['table', 'database', 'db', 'sql', 'rows'],
  ['difference', 'diff', 'compare', 'changed', 'changes'],
  ['history', 'log', 'commits'],
  ['sum', 'plus', 'total', 'add'],
  ['size', 'large', 'big', 'bytes', 'metadata', 'info', 'information'],
  ['calendar', 'meeting', 'appointment', 'event', 'schedule', 'book'],
  ['issue', 'bug', 'ticket', 'task'],
  ['buy', 'order', 'purchase'],
  ['translate', 'language'],
];

/** The words of a text in their basic form, without those that mean nothing. */
export function termsOf(text: string): string[] {
  return inWords(text)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map(stem);
}

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = synonyms();

function synonyms(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of SAME) {
    const stems = line.map(stem);
    for (const word of stems) {
      const others = found.get(word) ?? new Set();
      for (const other of stems) if (other !== word) others.add(other);
      found.set(word, others);
    }
  }
  return found;
}

/** The words that mean the same as one of `terms` and are not among them. */
export function synonymsOf(terms: readonly string[]): string[] {
  const own = new Set(terms);
  const others = new Set(terms.flatMap((term) => [...(SYNONYMS.get(term) ?? [])]));
  return [...others].filter((term) => !own.has(term));
}

/** An English word without its ending: `files`, `filed` and `filing` become one. Longer endings first. */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  const base = word
    .replace(/(?<=[a-z]{2})(ies|ied)$/, 'y')
    .replace(/(?<=[a-z]{3})(ing|ed|es|s)$/, (ending, _, at) => (ending === 's' && word[at - 1] === 's' ? 's' : ''))
    .replace(/([bdfgmnprt])\1$/, '$1');
  return base.replace(/(?<=[a-z]{3})e$/, '');
}
