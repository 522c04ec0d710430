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

test('what still waits at the end is done before it', async () => {
  const { all, done } = turns(() => block(15));
  all.add([1, 2, 3, 4, 5, 6]);
  all.finish();
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
  await nextTurn();
  expect(done).toHaveLength(6);
});
