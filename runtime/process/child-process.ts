import { type ChildProcess, spawn } from 'node:child_process';

/** Waits for the end of a child; returns at once if it has ended, or never started. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await new Promise<void>((done) => child.once('exit', () => done()));
}

/** Asks a child to end, and kills it after `grace` milliseconds if it has not ended. */
export async function endChild(child: ChildProcess, grace: number): Promise<void> {
  const killer = setTimeout(() => child.kill('SIGKILL'), grace);
  child.kill('SIGTERM');
  await ended(child);
  clearTimeout(killer);
}

/**
 * Ends a child together with this process, however this process ends, including `kill -9`: a small shell holds the
 * other end of a pipe that closes with us. The shell itself ends with the child.
 */
export function endWithParent(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  // In a session of its own: Ctrl-C in the terminal, which goes to the whole group, must not end it.
  const guard = spawn('/bin/sh', ['-c', `read _; kill ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => {}); // without a shell the child may outlive a killed parent, and nothing else changes
  guard.unref();
  (guard.stdin as (NodeJS.WritableStream & { unref?(): void }) | null)?.unref?.();
  child.once('exit', () => {
    process.removeListener('exit', kill);
    guard.kill('SIGKILL');
  });
}

/** Calls `take` for each whole line of a stream, and for a last line without a line feed. */
export function eachLine(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line);
  });
  stream?.on('end', () => {
    if (rest.trim() !== '') take(rest);
  });
}
