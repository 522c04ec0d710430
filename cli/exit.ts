import { HoldfastError, messageOf } from '../agent/error';

/** Runs a command and ends the process with its code; whatever it throws becomes one line, never a stack. */
export async function exitWith(command: () => Promise<number>): Promise<void> {
  // A reader that has enough, as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  let code: number;
  try {
    code = await command();
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    code = 1;
  }
  // Sockets of gRPC may linger; what was printed must be out first.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

/** One line for people; the stack of an unknown error only with HOLDFAST_DEBUG. */
export function errorText(error: unknown, env: { HOLDFAST_DEBUG?: string } = process.env): string {
  if (env.HOLDFAST_DEBUG !== undefined && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof HoldfastError) return error.message;
  return `Unexpected: ${messageOf(error)} (HOLDFAST_DEBUG=1 shows where)`;
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((done) => stream.write('', () => done()));
}
