import { type FactReading, mergeDeltas } from '../../../client/feed/merge-deltas';
import { createLocalBus } from '../../../runtime/bus/bus';
import { newGate } from '../../gate';
import { answered, delta, fact } from './told';

it('a slow reader has a limited number of deltas waiting, and gets one piece of them', async () => {
  const bus = createLocalBus();
  const { open: end, opened: ended } = newGate();
  const facts = async function* ({ onCaughtUp }: FactReading) {
    yield fact({ type: 'loop.start' });
    onCaughtUp();
    await ended;
    yield answered(1);
  };
  const events = mergeDeltas(facts, bus, 'r1', { onDelta: () => undefined });
  await events.next();
  for (let seq = 0; seq < 20_000; seq++) bus.publish(delta(`1#1:${seq}`));
  const seqs: number[] = [];
  for await (const event of events) {
    if (event.type === 'message') break;
    seqs.push(event.seq);
    if (event.seq === 9_999) {
      bus.publish(delta('1#1:20000'));
      end();
    }
  }
  expect(seqs).toEqual(Array.from({ length: 10_000 }, (_, seq) => seq));
});

it('a slow reader has a limited number of characters waiting, and takes up to it again when it has read', async () => {
  const bus = createLocalBus();
  const { open: end, opened: ended } = newGate();
  const facts = async function* ({ onCaughtUp }: FactReading) {
    yield fact({ type: 'loop.start' });
    onCaughtUp();
    await ended;
  };
  const events = mergeDeltas(facts, bus, 'r1', { onDelta: () => undefined });
  await events.next();
  const text = 'x'.repeat(1_000_000);
  for (let seq = 0; seq < 20; seq++) bus.publish({ ...delta(`1#1:${seq}`), type: 'stream.text', text });
  const heard: unknown[] = [];
  for (let i = 0; i < 4; i++) heard.push((await events.next()).value);
  bus.publish({ ...delta('1#1:20'), type: 'stream.clear' });
  heard.push((await events.next()).value);
  expect(heard).toMatchObject([{ seq: 0 }, { seq: 1 }, { seq: 2 }, { seq: 3 }, { type: 'stream.clear' }]);
  end();
  await events.return();
});

it('a reader that starts at old facts gets deltas behind all of those, and later ones at once', async () => {
  const bus = createLocalBus();
  const [old, next] = [newGate(), newGate()];
  const facts = async function* ({ onCaughtUp }: FactReading) {
    yield fact({ type: 'loop.iteration', turn: 2 });
    await old.opened;
    yield answered(2);
    yield fact({ type: 'loop.iteration', turn: 3 });
    onCaughtUp();
    await next.opened;
  };
  const shown: string[] = [];
  const reading = (async () => {
    for await (const event of mergeDeltas(facts, bus, 'r1', { onDelta: () => undefined })) {
      shown.push(event.type === 'stream.text' ? event.text : event.type);
      if (event.type === 'loop.iteration' && event.turn === 2) {
        for (const said of ['2#1:0', '3#1:0', '3#1:1']) bus.publish(delta(said));
        setImmediate(old.open);
      }
      if (shown.at(-1) === '3#1:1') bus.publish(delta('3#1:2'));
      if (shown.at(-1) === '3#1:2') next.open();
    }
  })();
  await reading;
  expect(shown).toEqual(['loop.iteration', 'message', 'loop.iteration', '3#1:0', '3#1:1', '3#1:2']);
});
