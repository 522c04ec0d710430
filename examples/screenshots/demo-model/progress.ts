import { basename } from 'node:path';
import type { Exchange } from './transcript';

/** The text of a result without content, such as that of an empty folder. */
const NOTHING = '(empty result)';

/** The progress of the work, according to the results. */
export interface Progress {
  /** Names in the first listing. */
  atFirst: ReadonlySet<string>;
  /** Names that are there now. `undefined` before the first listing. */
  present: Set<string> | undefined;
  /** Renames whose outcome only a new listing can show: from → to. */
  unclear: Map<string, string>;
  /** Why the folder could not be listed, once for each attempt since the last success. */
  listProblems: string[];
  texts: Map<string, string>;
  /** Why a file cannot be read, according to the OCR server. Trying again does not help. */
  unreadable: Map<string, string>;
  /** Why a file was not read, once for each attempt: the call got lost, or the server failed. */
  readProblems: Map<string, string[]>;
  renamed: { from: string; to: string }[];
  /** Why a rename did not happen, once for each attempt. */
  moveProblems: Map<string, string[]>;
  /** Files that a person wants to keep their names. */
  denied: Map<string, string>;
  /** Names that are impossible, or that must not be tried again. */
  spent: Set<string>;
}

export function progressOf(exchanges: readonly Exchange[]): Progress {
  const progress: Progress = {
    atFirst: new Set(),
    present: undefined,
    unclear: new Map(),
    listProblems: [],
    texts: new Map(),
    unreadable: new Map(),
    readProblems: new Map(),
    renamed: [],
    moveProblems: new Map(),
    denied: new Map(),
    spent: new Set(),
  };
  for (const { action, args, result } of exchanges) {
    if (action === 'list') afterList(progress, result);
    else if (action === 'read') afterRead(progress, nameIn(args.path), result);
    else afterMove(progress, nameIn(args.source), nameIn(args.destination), result);
  }
  return progress;
}

function afterList(progress: Progress, result: string): void {
  const lines = result.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => /^\[(FILE|DIR)\] (.+)$/.exec(line)?.[2] ?? []);
  if (entries.length === 0 && lines.length > 0 && result !== NOTHING) {
    progress.listProblems.push(firstLine(result));
    return;
  }
  progress.listProblems = [];
  const present = new Set(entries);
  if (progress.present === undefined) progress.atFirst = new Set(entries);
  progress.present = present;
  for (const [from, to] of progress.unclear) {
    if (present.has(to) && !present.has(from)) progress.renamed.push({ from, to });
  }
  progress.unclear.clear();
}

function afterRead(progress: Progress, name: string, result: string): void {
  if (/^cannot read /i.test(result)) progress.unreadable.set(name, firstLine(result));
  else if (isReadError(result)) addTo(progress.readProblems, name, firstLine(result));
  else progress.texts.set(name, result);
}

function afterMove(progress: Progress, from: string, to: string, result: string): void {
  if (/^successfully moved/i.test(result.trim())) {
    progress.present?.delete(from);
    progress.present?.add(to);
    progress.renamed.push({ from, to });
    return;
  }
  addTo(progress.moveProblems, from, firstLine(result));
  progress.spent.add(to);
  if (isDenied(result)) {
    progress.denied.set(from, firstLine(result));
    return;
  }
  // "Exists" is clear: the file kept its name. After any other problem the folder is listed again.
  if (!/already exists/i.test(result)) progress.unclear.set(from, to);
}

function isDenied(result: string): boolean {
  return /` was not run: .* denied it/.test(result);
}

/**
 * A chat message does not mark errors, so a model recognises them by their text. Errors of the engine name the server
 * or the tool.
 */
function isReadError(result: string): boolean {
  return (
    result === NOTHING ||
    /^(error: |mcp error|the mcp server `|the arguments do not fit)/i.test(result) ||
    /`[\w.-]*extract_text_from_image`/.test(result)
  );
}

function addTo(problems: Map<string, string[]>, name: string, problem: string): void {
  problems.set(name, [...(problems.get(name) ?? []), problem]);
}

function nameIn(path: unknown): string {
  return typeof path === 'string' ? basename(path) : '';
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
}
