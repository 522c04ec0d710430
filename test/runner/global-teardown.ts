import { rm } from 'node:fs/promises';
import { endProcessesWith } from './left-processes';

/** Milliseconds in which processes end that notice that the process of their test has ended. */
const GRACE = 10_000;

/** A process that a test has left would keep Jest from ending, because it holds its output. */
export default async function globalTeardown(): Promise<void> {
  const { HOLDFAST_TEST_RUN: run = '', HOLDFAST_TEST_FOLDER: folder } = process.env;
  const { holdfastDevServer: server } = globalThis;
  // It keeps nothing, and to end in order would take it seconds.
  if (server !== undefined && process.kill(server.pid, 'SIGKILL')) await server.ended;
  for (const { pid, command } of await endProcessesWith('HOLDFAST_TEST_RUN', run, GRACE)) {
    process.stderr.write(`A test has left process ${pid} running, which was ended: ${command.slice(0, 300)}\n`);
  }
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
