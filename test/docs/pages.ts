import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
export const DOCS = join(ROOT, 'docs');

/** Paths of the pages below `docs/`, such as `guides/tools.md`. */
export const PAGES: readonly string[] = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.md'));

export const readPage = (page: string): string => readFileSync(join(DOCS, page), 'utf8');

export interface Block {
  page: string;
  language: string;
  /** Number of its first line of code, from 1. */
  line: number;
  /** The text after the language. */
  note: string;
  code: string;
}

/** The fenced blocks that name a language, or all of one language, in the order of the page. */
export function blocksOf(page: string, only?: string): Block[] {
  const text = readPage(page);
  const fence = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fence)]
    .map(({ index, 1: language = '', 2: note = '', 3: code = '' }) => ({
      page,
      language,
      line: text.slice(0, index).split('\n').length + 1,
      note: note.trim(),
      code,
    }))
    .filter(({ language }) => only === undefined || language === only);
}

/** The text of a page without its code. */
export function proseOf(page: string): string {
  return readPage(page).replace(/^```[\s\S]*?^```$/gm, '');
}

/** Titles with their depth. */
export function titlesOf(page: string): { depth: number; title: string }[] {
  return [...proseOf(page).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    depth: marks.length,
    title: title.trim(),
  }));
}
