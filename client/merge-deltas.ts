import type { Fact } from '../agent/fact';
import type { StreamBus, StreamDelta } from '../agent/stream';
import type { EventsOptions } from './run-handle';

/** Facts with the deltas that arrive between them. Deltas are a hint: when the facts end, so does this. */
export async function* mergeDeltas(
  read: (options: EventsOptions) => AsyncGenerator<Fact, void, undefined>,
  bus: StreamBus,
  id: string,
  { after = 0, signal }: EventsOptions,
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  // A reader that leaves must not wait for the long poll under way.
  const left = new AbortController();
  const facts = read({ after, signal: signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]) });
  const waiting: StreamDelta[] = [];
  let wake: () => void = () => undefined;
  const unsubscribe = bus.subscribe(id, (delta) => {
    waiting.push(delta);
    wake();
  });
  try {
    let next = facts.next();
    for (;;) {
      const arrival = new Promise<undefined>((resolve) => {
        wake = () => resolve(undefined);
      });
      while (waiting.length > 0) yield waiting.shift() as StreamDelta;
      const settled = await Promise.race([next, arrival]);
      if (settled === undefined) continue;
      if (settled.done) return;
      next = facts.next();
      yield settled.value;
    }
  } finally {
    unsubscribe();
    left.abort();
  }
}
