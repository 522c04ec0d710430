import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../../../activities/mcp/client/parse-turns';

const block = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

function turns(work: (item: number) => void = () => {}) {
  const done: number[] = [];
  const waits: boolean[] = [];
  const all = new Turns<number>(
    (item) => {
      work(item);
      done.push(item);
    },
    (some) => waits.push(some),
  );
  return { all, done, waits };
}

test('a few messages are worked through at once, and nobody has to wait', () => {
  const { all, done, waits } = turns();
  all.add([1, 2, 3]);
  all.add([]);
  expect({ done, waits }).toEqual({ done: [1, 2, 3], waits: [] });
});

test('of many that take their time others have their turn in between, the order stays, and the source waits', async () => {
  const { all, done, waits } = turns(() => block(15));
  all.add([1, 2, 3, 4, 5, 6]);
  expect(done.length).toBeLessThan(3);
  all.add([7]);
  expect(waits).toEqual([true]);
  let others = 0;
  while (done.length < 7) {
    await nextTurn();
    others++;
  }
  expect(others).toBeGreaterThan(1);
  expect({ done, waits }).toEqual({ done: [1, 2, 3, 4, 5, 6, 7], waits: [true, false] });
});

test('what still waits at the end is done before it, and nothing of what is dropped', async () => {
  const { all, done } = turns(() => block(15));
  await all.done();
  all.add([1, 2, 3, 4]);
  await all.done();
  expect(done).toEqual([1, 2, 3, 4]);
  all.add([5, 6, 7]);
  all.drop();
  await all.done();
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('messages without an end leave most of the time to others', async () => {
  const { all, done } = turns(() => block(1));
  all.add(Array.from({ length: 100 }, (_, i) => i));
  const began = performance.now();
  await all.done();
  expect(done).toHaveLength(100);
  // 100 ms of work in shares of 10 ms, with 20 ms after each but the last.
  expect(performance.now() - began).toBeGreaterThan(200);
});
