import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { endChild, ended } from './child-process';

export type SupervisorEvent =
  | { type: 'exit'; pid: number | undefined; code: number | null; signal: NodeJS.Signals | null }
  /** Another child starts after `delay` milliseconds. */
  | { type: 'restart'; delay: number };

export interface SupervisorOptions {
  /** Starts a child; call `ready` once it works. */
  start(ready: () => void): ChildProcess;
  onEvent(event: SupervisorEvent): void;
  /**
   * Called when a child ended before it was ready, with how often that happened in a row: returns whether to give up.
   */
  hopeless?(failures: number): boolean;
  /** Milliseconds. Default 3,000. */
  grace?: number;
}

export interface Supervisor {
  /** Resolves when no child runs and none will be started again. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

/** A child that was ready is restarted at once; one that never was is restarted after longer and longer pauses. */
const FIRST_DELAY = 200;
const LONGEST_DELAY = 5000;

/** Keeps one child process running: restarts it whenever it ends unexpectedly. */
export function supervise({ start, onEvent, hopeless, grace = 3000 }: SupervisorOptions): Supervisor {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;

  const keep = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const running = start(() => {
        failures = -1;
      });
      child = running;
      await endedOrFailed(running);
      if (stopping.signal.aborted) return;
      onEvent({ type: 'exit', pid: running.pid, code: running.exitCode, signal: running.signalCode });
      failures += 1;
      if (failures > 0 && hopeless?.(failures) === true) return;
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, failures - 1));
      onEvent({ type: 'restart', delay });
      await setTimeout(delay, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const done = keep();
  return {
    done,
    async stop() {
      stopping.abort();
      if (child !== undefined) await endChild(child, grace);
      await done;
    },
  };
}

/** A program that cannot be started emits `error` and never `exit`. */
async function endedOrFailed(child: ChildProcess): Promise<void> {
  await Promise.race([ended(child), new Promise((done) => child.once('error', done))]);
}
