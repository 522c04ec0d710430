import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { createLog } from '../log';
import { AnswersInProgress } from './answers-in-progress';

type Listener = (delta: StreamDelta) => void;

/** A bus inside a process. */
export interface LocalBus extends StreamBus {
  /** Forgets the answer in progress of a run: it will miss deltas. */
  forget(id: string): void;
}

/** A bus for readers in the worker's process. A new reader first gets the answer in progress from its beginning. */
export function createLocalBus({ log = createLog() }: { log?: Log } = {}): LocalBus {
  const listeners = new Map<string, Set<Listener>>();
  const answers = new AnswersInProgress();
  return {
    publish(delta) {
      answers.note(delta);
      // A copy: a listener that subscribes or leaves during the call must not change who else gets this delta.
      const heard = listeners.get(delta.id);
      if (heard !== undefined) for (const listener of [...heard]) hand(listener, delta, log);
    },
    subscribe(id, listener) {
      // A separate function, so that the same listener can be subscribed twice and removed once.
      const own: Listener = (delta) => listener(delta);
      for (const delta of answers.of(id)) hand(own, delta, log);
      const set = listeners.get(id) ?? new Set();
      listeners.set(id, set.add(own));
      return () => {
        set.delete(own);
        if (set.size === 0 && listeners.get(id) === set) listeners.delete(id);
      };
    },
    forget: (id) => answers.forget(id),
  };
}

/** A failing reader must not affect the model call that publishes, whether it throws or rejects. */
function hand(listener: Listener, delta: StreamDelta, log: Log): void {
  const failed = (error: unknown) =>
    log.warn({ id: delta.id, problem: messageOf(error) }, 'A listener of the stream bus failed');
  try {
    const result: unknown = listener(delta);
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
