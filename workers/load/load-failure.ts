import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { fileProblem, isFileError } from '../../runtime/files/file-problem';

/** The package, or its sources. */
const ROOT = join(__dirname, '..', '..');
const ROOMS = ['agent', 'activities', 'workflows', 'runtime', 'workers', 'client', 'cli'];

/** Whether a file is the user's: neither Holdfast's nor a dependency's. */
export function isUserFile(file: string): boolean {
  return !file.includes(`${sep}node_modules${sep}`) && !isOwnFile(file);
}

function isOwnFile(file: string): boolean {
  return ROOMS.some((room) => file.startsWith(join(ROOT, room) + sep));
}

/** The error of a module that could not be loaded: the user's file and the line in it, and what is wrong there. */
export function loadFailure(error: unknown, module: string): HoldfastError {
  const at = placeOf(error) ?? { file: module };
  if (isHoldfastError(error)) {
    if (!isInvalidDefinition(error)) return error;
    const { place, problem } = error.data;
    return withStackOf(error, new HoldfastError('InvalidDefinition', { place, problem, ...at }));
  }
  const loadedBy = at.file === module ? {} : { loadedBy: module };
  return withStackOf(error, new HoldfastError('ModuleNotLoaded', { ...at, ...loadedBy, problem: problemOf(error) }));
}

/** The module may import another copy of the package. */
function isHoldfastError(error: unknown): error is HoldfastError {
  return error instanceof HoldfastError || (error instanceof Error && error.name === 'HoldfastError');
}

function isInvalidDefinition(error: HoldfastError): error is HoldfastError<'InvalidDefinition'> {
  return error.type === 'InvalidDefinition';
}

/** For HOLDFAST_DEBUG: the frames of the module say more than those of this file. */
function withStackOf(error: unknown, failure: HoldfastError): HoldfastError {
  if (error instanceof Error && error.stack !== undefined) failure.stack = error.stack;
  return failure;
}

export interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** Parser errors name the place in a line of their message. */
const IN_MESSAGE = /^\s*(?<file>\S.*):(?<line>\d+):(?<column>\d+)\s*$/m;
const FRAME = /^\s*at (?:.*\(|async )?(?<file>(?:file:|\/|[A-Za-z]:\\).*?):(?<line>\d+):\d+\)?$/;

/** The innermost place in the user's code. Columns of a stack are those of the transpiled module, so they are left out. */
export function placeOf(error: unknown): Place | undefined {
  if (!(error instanceof Error)) return undefined;
  const parsed = IN_MESSAGE.exec(error.message)?.groups;
  if (parsed?.file !== undefined) {
    return { file: parsed.file, line: Number(parsed.line), column: Number(parsed.column) + 1 };
  }
  return framesOf(error).find(({ file }) => isUserFile(file));
}

/** Whether Holdfast's own code is among the callers. */
export function throughHoldfast(error: Error): boolean {
  return framesOf(error).some(({ file }) => isOwnFile(file));
}

function framesOf({ stack = '' }: Error): { file: string; line: number }[] {
  return stack.split('\n').flatMap((text) => {
    const { file, line } = FRAME.exec(text)?.groups ?? {};
    if (file === undefined) return [];
    return [{ file: file.startsWith('file:') ? fileURLToPath(file) : file, line: Number(line) }];
  });
}

function problemOf(error: unknown): string {
  // The module may not be read, or reads a file that may not.
  if (isFileError(error)) return `${error.path}: ${fileProblem(error, 'used')}`;
  const text = messageOf(error)
    .trim()
    .replace(/^ParseError: /, 'Syntax error: ')
    // How a transpiled module calls what it imports.
    .replace(/^\(0 , \w+\.([\w$]+)\) is not a function$/, '`$1` is not a function; check that the module exports it');
  const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : '';
  return text + cause;
}
