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

test('a few messages are processed at once, without waiting', () => {
  // A busy machine may take its time between two of them.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { all, done, waits } = turns();
  all.add([1, 2, 3]);
  all.add([]);
  clock.mockRestore();
  expect({ done, waits }).toEqual({ done: [1, 2, 3], waits: [] });
});

test('other work has its turn between many slow messages, the order stays, and the source waits', async () => {
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

test('waiting messages are processed before the end, dropped messages are not', async () => {
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

test('endless messages leave most of the time to other work', async () => {
  const { all, done } = turns(() => block(1));
  all.add(Array.from({ length: 100 }, (_, i) => i));
  const began = performance.now();
  await all.done();
  expect(done).toHaveLength(100);
  // 100 ms of work in shares of 10 ms, with 20 ms after each except the last.
  expect(performance.now() - began).toBeGreaterThan(200);
});
