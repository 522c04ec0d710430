import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamBus, StreamDelta } from '../../agent/protocol/stream';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { DeltaOrder } from './delta-order';
import { DeltaQueue } from './delta-queue';

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

/** Milliseconds that deltas wait for the facts before their call: a process that watches very many runs gets facts late. */
const LONGEST = 2_000;

/**
 * Facts with the deltas that arrive between them. Deltas wait until the reader has all facts that there are, and those
 * before their call; after that they come at once. It ends with the facts: deltas are only a preview.
 */
export async function* mergeDeltas(
  read: (reading: FactReading) => AsyncGenerator<Fact, void, undefined>,
  bus: StreamBus,
  id: string,
  { after = 0, signal, onDelta }: EventsOptions & { onDelta: (delta: StreamDelta) => void },
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  // A reader that leaves must not wait for the long poll in progress.
  const until = linkedAbort(signal);
  const order = new DeltaOrder(after);
  const waiting = new DeltaQueue();
  let caughtUp = false;
  /** Runs while deltas wait for facts. */
  let patience: NodeJS.Timeout | undefined;
  let isLate = false;
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
    waiting.push(delta);
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
  const late = () => {
    isLate = true;
    wake();
  };
  const endPatience = () => {
    clearTimeout(patience);
    patience = undefined;
    isLate = false;
  };
  try {
    next();
    for (;;) {
      const arrival = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (let delta = caughtUp ? waiting.shift() : undefined; delta !== undefined; delta = waiting.shift())
        yield* order.take(delta);
      if (!order.waits) endPatience();
      else patience ??= setTimeout(late, LONGEST);
      if (found === undefined) {
        if (!isLate) await arrival;
        else {
          isLate = false;
          yield* order.release();
        }
        continue;
      }
      if (found.status === 'rejected') throw found.reason;
      if (found.value.done) return;
      const fact = found.value.value;
      next();
      const followers = order.note(fact);
      yield fact;
      yield* followers;
    }
  } finally {
    unsubscribe();
    endPatience();
    until.abort();
  }
}
