import type { Fact, StreamDelta } from 'holdfast';
import { DeltaOrder } from '../../../client/feed/delta-order';
import { mergeDeltas } from '../../../client/feed/merge-deltas';
import { createLocalBus } from '../../../runtime/bus/bus';
import { newGate } from '../../gate';
import { until } from '../../until';
import { answered, delta, fact } from './told';

/** The deltas that a reader gets. */
function read(...events: (string | Fact)[]): string[] {
  const order = new DeltaOrder();
  return events.flatMap((event) => {
    if (typeof event !== 'string') {
      order.note(event);
      return [];
    }
    return order.take(delta(event)).map((one) => (one.type === 'stream.text' ? one.text : 'clear'));
  });
}

describe('the deltas that a reader gets', () => {
  it('are all of them while none is lost', () => {
    expect(read('1#1:0', '1#1:1', answered(1), '2#1:0', '2#1:1')).toEqual(['1#1:0', '1#1:1', '2#1:0', '2#1:1']);
  });

  it('end where one is lost, until the next call', () => {
    expect(read('1#1:0', '1#1:2', '1#1:3', answered(1), '2#1:0')).toEqual(['1#1:0', '2#1:0']);
  });

  it('continue after a loss with the next attempt', () => {
    expect(read('1#1:0', '1#1:2', '1#2:0!', '1#2:1')).toEqual(['1#1:0', 'clear', '1#2:1']);
  });

  it('are none of an answer whose beginning is lost, until the next attempt', () => {
    expect(read('1#1:7', '1#1:8', '1#2:0!', '1#2:1')).toEqual(['clear', '1#2:1']);
    expect(read('1#1:7', '1#1:8', '2#1:0')).toEqual(['2#1:0']);
    expect(read('1#1:0-7', '1#1:8')).toEqual(['1#1:0-7', '1#1:8']);
  });

  it('are withdrawn even if the delta that withdraws them was lost', () => {
    expect(read('1#1:0', '1#2:1', '1#2:2')).toEqual(['1#1:0', 'clear']);
    expect(read('1#1:0', '1.2#1:0')).toEqual(['1#1:0', 'clear', '1.2#1:0']);
    expect(read('1#1:0', '2#1:0')).toEqual(['1#1:0', '2#1:0']);
  });

  it('never repeat, and never belong to an attempt, a call or a turn that is over', () => {
    expect(read('1#1:0', '1#1:0')).toEqual(['1#1:0']);
    expect(read('1#2:0!', '1#1:5', '1#2:1')).toEqual(['clear', '1#2:1']);
    expect(read('1#1:0', '1.2#1:0!', '1#1:1', '1.2#1:1', '1#2:0!')).toEqual(['1#1:0', 'clear', '1.2#1:1']);
    expect(read('1#1:0', '2#1:0', '1#1:1')).toEqual(['1#1:0', '2#1:0']);
  });

  it('end with the message, or with the fact that withdrew it', () => {
    expect(read('1#1:0', answered(1), '1#1:1', '1#2:0!')).toEqual(['1#1:0']);
    expect(read('1#1:0', fact({ type: 'text.withdrawn', turn: 1 }), '1#1:1', '2#1:0')).toEqual(['1#1:0', '2#1:0']);
    expect(read('3#1:0', fact({ type: 'exchange.end', turn: 3 }), '3#1:1')).toEqual(['3#1:0']);
  });

  it('may be several in one, which fits only as a whole', () => {
    expect(read('1#1:0-4', '1#1:5', '1#1:6-7', '1#1:8')).toEqual(['1#1:0-4', '1#1:5', '1#1:6-7', '1#1:8']);
    expect(read('1#1:0-4', '1#1:3', '1#1:2-4', '1#1:5')).toEqual(['1#1:0-4', '1#1:5']);
    expect(read('1#1:0', '1#1:1', '1#1:0-4', '1#1:5')).toEqual(['1#1:0', '1#1:1']);
    expect(read('1#1:0', '1#1:2-4', '1#1:5')).toEqual(['1#1:0']);
  });

  it('go on after a loss with the one that withdraws all before it', () => {
    expect(read('1#1:0', '1#1:2', '1#1:3!', '1#1:4')).toEqual(['1#1:0', 'clear', '1#1:4']);
    expect(read('1#1:0', '1#1:0-3!', '1#1:4')).toEqual(['1#1:0', 'clear', '1#1:4']);
  });

  it('are none of an answer that was known before the reader came', () => {
    const order = new DeltaOrder();
    order.begin(2);
    expect(['2#1:0-4', '3#1:0'].map((said) => order.take(delta(said)).length)).toEqual([0, 1]);
  });

  it('report on tools only while they run', () => {
    const order = new DeltaOrder();
    const progress = (toolUseId: string, turn: number): StreamDelta => {
      const about = { id: 'r1', turn, toolUseId, callId: toolUseId, attempt: 1, seq: 0 };
      return { type: 'tool.progress', progress: 1, ...about };
    };
    expect(order.take(progress('t1.1', 1))).toHaveLength(1);
    order.note(answered(1));
    order.note(fact({ type: 'tool.result', toolUseId: 't1.1' }));
    expect([order.take(progress('t1.1', 1)), order.take(progress('t1.2', 1))].map(({ length }) => length)).toEqual([
      0, 1,
    ]);
    order.note(fact({ type: 'loop.iteration', turn: 2 }));
    expect(order.take(progress('t1.2', 1))).toEqual([]);
  });
});

describe('deltas that overtake the facts before their call', () => {
  const early = (said: string, after: number) => ({ ...delta(said), after });
  const begins = (turn: number, seq: number) => fact({ type: 'loop.iteration', turn, seq });

  /** What a reader gets that knows three facts, while others come one after the other. */
  function watch() {
    const bus = createLocalBus();
    const shown: string[] = [];
    const waiting: Fact[] = [];
    let wake = newGate();
    const events = mergeDeltas(
      async function* ({ onCaughtUp }) {
        onCaughtUp();
        for (;;) {
          const next = waiting.shift();
          if (next?.type === 'loop.end') return;
          if (next !== undefined) yield next;
          else await wake.opened;
        }
      },
      bus,
      'r1',
      { after: 3, onDelta: () => undefined },
    );
    const reading = (async () => {
      for await (const event of events) shown.push(event.type === 'stream.text' ? event.text : event.type);
    })();
    const tell = (...told: Fact[]) => {
      waiting.push(...told);
      wake.open();
      wake = newGate();
    };
    return { bus, shown, reading, tell };
  }

  it('wait for these facts, and are given after them', async () => {
    const { bus, shown, reading, tell } = watch();
    for (const piece of ['2#1:0', '2#1:1']) bus.publish(early(piece, 5));
    bus.publish(early('1#1:0', 3));
    await until(() => shown.length === 1, 'the delta that need not wait');
    tell(begins(2, 4));
    await until(() => shown.length === 2, 'the first fact');
    bus.publish(early('2#1:2', 5));
    tell(fact({ type: 'text.withdrawn', turn: 1, why: 'steered', seq: 5 }));
    await until(() => shown.length === 6, 'the deltas');
    expect(shown).toEqual(['1#1:0', 'loop.iteration', 'text.withdrawn', '2#1:0', '2#1:1', '2#1:2']);
    tell(fact({ type: 'loop.end' }));
    await reading;
  });

  it('are given without them after a while: a process that watches very many runs gets facts late', async () => {
    const { bus, shown, reading, tell } = watch();
    bus.publish(early('2#1:0', 5));
    await until(() => shown.length === 1, 'the delta');
    bus.publish(early('2#1:1', 5));
    await until(() => shown.length === 2, 'the next one', 1_000);
    tell(begins(2, 4), begins(2, 5));
    await until(() => shown.length === 4, 'the facts');
    bus.publish(early('3#1:0', 6));
    tell(begins(3, 6));
    await until(() => shown.length === 6, 'the next turn');
    expect(shown).toEqual(['2#1:0', '2#1:1', 'loop.iteration', 'loop.iteration', 'loop.iteration', '3#1:0']);
    tell(fact({ type: 'loop.end' }));
    await reading;
  });

  it('are none where the reader gets their message first', () => {
    const order = new DeltaOrder(3);
    expect(order.take(early('1#1:0', 5))).toEqual([]);
    expect(order.note({ ...answered(1), seq: 5 })).toEqual([]);
    expect(order.waits).toBe(false);
  });
});
