import type { Log } from '../../../agent/define/context';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { createLocalBus } from '../../../runtime/bus/bus';

const delta = (id: string, seq: number): StreamDelta => ({
  type: 'stream.text',
  text: String(seq),
  id,
  turn: 1,
  callId: 'c1',
  attempt: 1,
  seq,
});
const warned: unknown[] = [];
const log: Log = { debug() {}, info() {}, error() {}, warn: (fields) => warned.push(fields) };
beforeEach(() => warned.splice(0));

describe('the bus inside one process', () => {
  it('passes each later delta of a run to each of its listeners, until they leave', () => {
    const bus = createLocalBus({ log });
    const [a, b, other]: StreamDelta[][] = [[], [], []];
    const leave = bus.subscribe('r1', (d) => a?.push(d));
    bus.subscribe('r1', (d) => b?.push(d));
    bus.subscribe('r2', (d) => other?.push(d));
    bus.publish(delta('r1', 1));
    leave();
    leave();
    bus.publish(delta('r1', 2));
    expect([a, b, other].map((list) => list?.map((d) => d.seq))).toEqual([[1], [1, 2], []]);
  });

  it('survives listeners that throw, now or later, and logs it', async () => {
    const bus = createLocalBus({ log });
    const seen: number[] = [];
    bus.subscribe('r1', () => {
      throw new Error('now');
    });
    bus.subscribe('r1', async () => {
      throw new Error('later');
    });
    bus.subscribe('r1', (d) => seen.push(d.seq));
    bus.publish(delta('r1', 7));
    await new Promise((done) => setImmediate(done));
    expect(seen).toEqual([7]);
    expect(warned).toEqual([
      { id: 'r1', problem: 'now' },
      { id: 'r1', problem: 'later' },
    ]);
  });

  it('gives a listener that joined because of a delta that delta once', () => {
    const bus = createLocalBus({ log });
    const seen: number[] = [];
    const join = bus.subscribe('r1', () => {
      join();
      bus.subscribe('r1', (d) => seen.push(d.seq));
    });
    bus.publish(delta('r1', 0));
    bus.publish(delta('r1', 1));
    expect(seen).toEqual([0, 1]);
  });

  it('gives a new listener the answer in progress at once, unless the run is forgotten', () => {
    const bus = createLocalBus({ log });
    for (const seq of [0, 1, 2]) bus.publish(delta('r1', seq));
    const seen: StreamDelta[] = [];
    bus.subscribe('r1', (d) => seen.push(d));
    expect(seen).toEqual([{ ...delta('r1', 2), text: '012', from: 0 }]);
    bus.forget('r1');
    bus.subscribe('r1', (d) => seen.push(d));
    expect(seen).toHaveLength(1);
  });
});
