import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { whileLinked } from '../abort/linked-abort';
import { endChild, ended } from './child-process';

export type SupervisorEvent =
  | { type: 'exit'; pid: number | undefined; code: number | null; signal: NodeJS.Signals | null }
  /** Another child starts after `delay` milliseconds. */
  | { type: 'restart'; delay: number };

/** What follows when a child ended before it was ready: another start, none before {@link Supervisor.replace}, or the end. */
export type NextStart = 'retry' | 'wait' | 'stop';

export interface SupervisorOptions {
  /** Starts a child; call `ready` once it works. `replaces` is the process id of the child that it takes over from. */
  start(ready: () => void, replaces?: number): ChildProcess;
  onEvent(event: SupervisorEvent): void;
  /** Called when a child ended before it was ready, with how often that happened in a row. Default `retry`. */
  onUnready?(failures: number): NextStart;
  /** Called when a child ended before it took over from the one with the process id `kept`, unless everything stops. */
  onRefused?(child: ChildProcess, kept: number | undefined): void;
  /** Milliseconds that children get to end when everything stops. Default 3,000. */
  grace?: number;
  /** Milliseconds that a child gets to end after another took over from it. Default 3,000. */
  replacedGrace?: number;
}

export interface Supervisor {
  /** Resolves when no child runs and none will be started again. */
  readonly done: Promise<void>;
  /**
   * Starts another child, and ends the running one once the other is ready. If the other ends before that, the running
   * one stays.
   * @param outdated ends the other one if it has not taken over by then
   * @returns whether the other took over
   */
  replace(outdated?: AbortSignal): Promise<boolean>;
  stop(): Promise<void>;
}

/** A child that was ready is restarted at once; one that never was is restarted after longer and longer pauses. */
const FIRST_DELAY = 200;
const LONGEST_DELAY = 5000;

/** Milliseconds that a child gets to end which has not taken over yet, and is no longer wanted. It has nothing to finish. */
const OUTDATED_GRACE = 500;

/** Keeps one child process running: restarts it whenever it ends unexpectedly. */
export function supervise(options: SupervisorOptions): Supervisor {
  const { onEvent, onUnready = () => 'retry', grace = 3000, replacedGrace = grace } = options;
  const stopping = new AbortController();
  const alive = new Set<ChildProcess>();
  let current: ChildProcess;
  let replaced = new AbortController();
  let failures = 0;

  const start = (ready: () => void, replaces?: number): ChildProcess => {
    const child = options.start(ready, replaces);
    alive.add(child);
    void endedOrFailed(child).then(() => alive.delete(child));
    return child;
  };
  const works = () => {
    failures = -1;
  };

  const pause = (next: NextStart): Promise<void> =>
    whileLinked([stopping.signal, replaced.signal], async (signal) => {
      if (signal.aborted) return;
      if (next === 'wait') return void (await once(signal, 'abort'));
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, failures - 1));
      onEvent({ type: 'restart', delay });
      await setTimeout(delay, undefined, { signal }).catch(() => {});
    });
  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const running = current;
      replaced = new AbortController();
      await endedOrFailed(running);
      if (stopping.signal.aborted) return;
      if (current !== running) continue;
      onEvent({ type: 'exit', pid: running.pid, code: running.exitCode, signal: running.signalCode });
      failures += 1;
      const next = failures > 0 ? onUnready(failures) : 'retry';
      if (next === 'stop') return;
      await pause(next);
      if (current === running && !stopping.signal.aborted) current = start(works);
    }
  };
  current = start(works);
  const done = keep();
  return {
    done,
    async replace(outdated) {
      const old = current;
      let ready = () => {};
      const isReady = new Promise<true>((resolve) => {
        ready = () => resolve(true);
      });
      const candidate = start(ready, old.pid);
      const end = () => void endChild(candidate, OUTDATED_GRACE);
      outdated?.addEventListener('abort', end, { once: true });
      const tookOver = await Promise.race([isReady, endedOrFailed(candidate).then(() => false)]);
      outdated?.removeEventListener('abort', end);
      if (stopping.signal.aborted) return false;
      if (!tookOver) {
        if (!outdated?.aborted) options.onRefused?.(candidate, current.pid);
        return false;
      }
      const last = current;
      current = candidate;
      failures = -1;
      replaced.abort();
      void endChild(last, replacedGrace);
      return true;
    },
    async stop() {
      stopping.abort();
      await Promise.all([...alive].map((child) => endChild(child, grace)));
      await done;
    },
  };
}

/**
 * A program that cannot be started emits `error` and never `exit`. What a child has sent at its end may be read after its
 * `exit`.
 */
async function endedOrFailed(child: ChildProcess): Promise<void> {
  const over = async () => {
    await ended(child);
    if (child.connected) await once(child, 'disconnect');
  };
  await Promise.race([over(), new Promise((done) => child.once('error', done))]);
}
