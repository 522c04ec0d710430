import { HoldfastError } from '../../agent/errors/error';
import { warn } from '../../runtime/print';
import { type Place, placeOf, throughHoldfast } from './load-failure';

/** Frames of a stack that are looked at: a dependency may end the process for the module. */
const FRAMES = 50;

type Report = (error: HoldfastError) => void;

/** What a command does with the error. A program of the user may end itself: it is watched only while a module loads. */
let ofCommand: Report | undefined;

/** The module that was loaded last. */
let last: string | undefined;

/**
 * Says what is done with the error of a module that ends the process, while it loads or at any time later until the
 * returned function is called. Nothing can be awaited then, but `process.exitCode` can be set. Default: it is printed, and
 * only while a module loads.
 */
export function reportExitsTo(to: Report): () => void {
  const before = ofCommand;
  if (before === undefined) process.on('exit', exits);
  ofCommand = to;
  return () => {
    ofCommand = before;
    if (before === undefined) process.off('exit', exits);
  };
}

/** Loads a module. If the module ends the process, the process says so: it would look like a command that did its work. */
export async function watchingExits<T>(module: string, load: () => Promise<T>): Promise<T> {
  last = module;
  if (ofCommand !== undefined) return load();
  process.on('exit', exits);
  try {
    return await load();
  } finally {
    process.off('exit', exits);
  }
}

function exits(code: number): void {
  const place = endedAt();
  if (place === undefined) return;
  const problem = `it ends the process, with exit code ${code}: remove the call of \`process.exit\``;
  const report = ofCommand ?? ((error) => warn(error.message));
  report(new HoldfastError('ModuleNotLoaded', { ...place, problem }));
}

/** Where a module ends the process, if it is not Holdfast, and not an event loop with nothing left to do. */
function endedAt(): Place | undefined {
  const callers = callersOfExit();
  if (callers.stack === undefined || !callers.stack.includes('\n')) return undefined;
  const place = placeOf(callers);
  if (place !== undefined || last === undefined || throughHoldfast(callers)) return place;
  return { file: last };
}

/** Its stack has one line if nothing has called `process.exit`. */
function callersOfExit(): Error {
  const { stackTraceLimit } = Error;
  const error = new Error('exit');
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(error, process.exit);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
