import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { DeltaOrder } from './delta-order';

/** Where reading starts and what ends it. */
export interface EventsOptions {
  /** Number of the last known fact, so that a returning reader misses none and sees none twice. */
  after?: number;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** Maximum deltas that are kept for a slow reader. Later ones are lost, and the gap shows it. */
const MAX_WAITING = 10_000;

/** Facts with the deltas that arrive between them. It ends with the facts: deltas are only a preview. */
export async function* mergeDeltas(
  read: (options: EventsOptions) => AsyncGenerator<Fact, void, undefined>,
  bus: StreamBus,
  id: string,
  { after = 0, signal, onDelta }: EventsOptions & { onDelta: () => void },
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  // A reader that leaves must not wait for the long poll in progress.
  const left = new AbortController();
  const facts = read({ after, signal: signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]) });
  const order = new DeltaOrder();
  const waiting: StreamDelta[] = [];
  let wake: () => void = () => undefined;
  const unsubscribe = bus.subscribe(id, (delta) => {
    if (waiting.length < MAX_WAITING) waiting.push(delta);
    onDelta();
    wake();
  });
  try {
    let next = facts.next();
    for (;;) {
      const arrival = new Promise<undefined>((resolve) => {
        wake = () => resolve(undefined);
      });
      while (waiting.length > 0) yield* order.take(waiting.shift() as StreamDelta);
      const settled = await Promise.race([next, arrival]);
      if (settled === undefined) continue;
      if (settled.done) return;
      next = facts.next();
      order.note(settled.value);
      yield settled.value;
    }
  } finally {
    unsubscribe();
    left.abort();
  }
}
