import type { ChildProcess } from 'node:child_process';

/** Milliseconds between two signs of life of a worker that starts. */
export const BEAT = 1000;

/**
 * Milliseconds without a sign of life after which a worker that starts is killed. Longer than the 30 s that a module may
 * wait while it loads, which the worker itself tells.
 */
const SILENCE = 40_000;

/**
 * Kills a child that says nothing for 40 s, until the returned function is called: code that never returns, such as
 * `while (true) {}`, leaves it no moment to look at a clock of its own.
 */
export function killIfSilent(child: ChildProcess, onSilence: (seconds: number) => void): () => void {
  const timer = setTimeout(() => {
    onSilence(SILENCE / 1000);
    child.kill('SIGKILL');
  }, SILENCE);
  const heard = () => timer.refresh();
  const stop = () => {
    clearTimeout(timer);
    child.off('message', heard);
  };
  child.on('message', heard);
  for (const end of ['exit', 'error'] as const) child.once(end, stop);
  return stop;
}
