import { HoldfastError, messageOf } from '../agent/errors/error';
import { fileProblem, isFileError } from '../runtime/files/file-problem';
import { allowReadersToLeave, flushed, warn } from '../runtime/print';
import { reportExitsTo } from '../workers/load/exits';
import { exitCodeOf } from './exit-code';
import { linesOf } from './lines/facts/fact-line';
import { type Environment, withPrintedCommands } from './terminal/printed-command';

/** Runs a command and ends the process with its exit code. An error becomes one line, never a stack. */
export async function exitWith(command: () => Promise<number>): Promise<void> {
  allowReadersToLeave();
  const release = reportExitsTo((error) => {
    warn(...errorLines(error));
    process.exitCode = exitCodeOf(error);
  });
  let code: number;
  try {
    code = await command();
  } catch (error) {
    warn(...errorLines(error));
    code = exitCodeOf(error);
  }
  // gRPC sockets may keep the process alive, so it exits here, once all output is flushed.
  await flushed();
  release();
  process.exit(code);
}

/** One line for people; the stack of an unknown error only with HOLDFAST_DEBUG. */
export function errorText(error: unknown, env: Environment & { HOLDFAST_DEBUG?: string } = process.env): string {
  if (env.HOLDFAST_DEBUG !== undefined && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof HoldfastError) return withPrintedCommands(error.message, env);
  // A file that a command was told to write, such as one in a folder that does not exist.
  if (isFileError(error)) return `${error.path}: ${fileProblem(error, 'used')}`;
  return `Unexpected: ${messageOf(error)} (HOLDFAST_DEBUG=1 shows where)`;
}

/** The same as lines. Text that an error quotes never starts a line that looks like ours. */
export function errorLines(error: unknown): string[] {
  return linesOf(errorText(error));
}
