import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { sizeOf } from '../../runtime/bus/answers-in-progress';
import { DeltaOrder } from './delta-order';

/** Where reading starts and what ends it. */
export interface EventsOptions {
  /** Number of the last known fact, so that a returning reader misses none and sees none twice. */
  after?: number;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** How facts are read, so that deltas come after those that precede them. */
export interface FactReading extends EventsOptions {
  /** Called when the reader has all facts that there are. `answered`: the last turn whose answer is known, if any is. */
  onCaughtUp(answered?: number): void;
}

/** Maximum deltas, and their characters, that are kept for a slow reader. Later ones are lost, and the gap shows it. */
const MAX_WAITING = 10_000;
const MAX_SIZE = 4_000_000;

/**
 * Facts with the deltas that arrive between them. Deltas wait until the reader has all facts that there are; after that
 * they come at once. It ends with the facts: deltas are only a preview.
 */
export async function* mergeDeltas(
  read: (reading: FactReading) => AsyncGenerator<Fact, void, undefined>,
  bus: StreamBus,
  id: string,
  { after = 0, signal, onDelta }: EventsOptions & { onDelta: (delta: StreamDelta) => void },
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  // A reader that leaves must not wait for the long poll in progress.
  const until = linkedAbort(signal);
  const order = new DeltaOrder();
  const waiting: StreamDelta[] = [];
  let size = 0;
  let caughtUp = false;
  let wake: () => void = () => undefined;
  const facts = read({
    after,
    signal: until.signal,
    onCaughtUp(answered = 0) {
      if (caughtUp) return;
      caughtUp = true;
      order.begin(answered);
      wake();
    },
  });
  const unsubscribe = bus.subscribe(id, (delta) => {
    if (waiting.length < MAX_WAITING && size < MAX_SIZE) {
      waiting.push(delta);
      size += sizeOf(delta);
    }
    onDelta(delta);
    wake();
  });
  // Not a race: each delta would leave something behind at the promise of the next fact, which may be hours away.
  let found: PromiseSettledResult<IteratorResult<Fact, void>> | undefined;
  const next = () => {
    found = undefined;
    facts.next().then(
      (value) => {
        found = { status: 'fulfilled', value };
        wake();
      },
      (reason: unknown) => {
        found = { status: 'rejected', reason };
        wake();
      },
    );
  };
  try {
    next();
    for (;;) {
      const arrival = new Promise<void>((resolve) => {
        wake = resolve;
      });
      while (caughtUp && waiting.length > 0) {
        const delta = waiting.shift() as StreamDelta;
        size -= sizeOf(delta);
        yield* order.take(delta);
      }
      if (found === undefined) {
        await arrival;
        continue;
      }
      if (found.status === 'rejected') throw found.reason;
      if (found.value.done) return;
      const fact = found.value.value;
      next();
      order.note(fact);
      yield fact;
    }
  } finally {
    unsubscribe();
    until.abort();
  }
}
