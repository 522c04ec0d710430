import { HoldfastError } from '../../agent/errors/error';
import { warn } from '../../runtime/print';
import { placeOf } from './load-failure';

/** Frames of a stack that are looked at: a dependency may end the process for the module. */
const FRAMES = 50;

let report = (error: HoldfastError): void => warn(error.message);

/**
 * Says what is done with the error of a module that ends the process while it loads. Nothing can be awaited then, but
 * `process.exitCode` can be set. Default: it is printed.
 */
export function reportExitsTo(to: (error: HoldfastError) => void): void {
  report = to;
}

/** Loads a module. If the module ends the process, the process says so: it would look like a command that did its work. */
export async function watchingExits<T>(load: () => Promise<T>): Promise<T> {
  const exits = (code: number) => {
    const place = placeOf(stackHere());
    // Ended by a signal, for example, or by a command.
    if (place === undefined) return;
    const problem = `it ends the process, with exit code ${code}: remove the call of \`process.exit\``;
    report(new HoldfastError('ModuleNotLoaded', { ...place, problem }));
  };
  process.on('exit', exits);
  try {
    return await load();
  } finally {
    process.off('exit', exits);
  }
}

function stackHere(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const error = new Error('exit');
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
