import { HoldfastError } from '../../../../agent/errors/error';
import { ServerLine } from '../../../../client/gateway/runs/server-line';

interface Call {
  name: string;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

/** Calls that have been made, and what has become of all. */
function lineOf(atOnce: number, ...names: string[]) {
  const line = new ServerLine(atOnce);
  const made: Call[] = [];
  const ends: Record<string, unknown> = {};
  const ask = (name: string) =>
    line
      .call(() => new Promise((answer, fail) => made.push({ name, answer, fail })))
      .then(
        (value) => {
          ends[name] = value;
        },
        (error: Error) => {
          ends[name] = error.message;
        },
      );
  for (const name of names) void ask(name);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 2));
  return { made, ends, ask, settled, namesMade: () => made.map(({ name }) => name) };
}

const away = () => new HoldfastError('NoServer', { problem: 'no answer' });

test('calls wait for their turn, in order, and each end lets the next one begin', async () => {
  const { made, ends, settled, namesMade } = lineOf(2, 'a', 'b', 'c', 'd', 'e');
  await settled();
  expect(namesMade()).toEqual(['a', 'b']);
  made[1]?.answer(1);
  await settled();
  expect(namesMade()).toEqual(['a', 'b', 'c']);
  made[0]?.fail(new Error('no such run'));
  made[2]?.answer(3);
  await settled();
  expect(namesMade()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(ends).toEqual({ a: 'no such run', b: 1, c: 3 });
});

test('if the server has answered none, those that wait end with the first that it did not answer', async () => {
  const { made, ends, ask, settled, namesMade } = lineOf(1, 'a', 'b', 'c');
  await settled();
  const error = away();
  made[0]?.fail(error);
  await settled();
  expect(ends).toEqual({ a: error.message, b: error.message, c: error.message });
  // Nothing is left behind: the next one is made at once.
  void ask('d');
  await settled();
  expect(namesMade()).toEqual(['a', 'd']);
});

test('if it has answered another one in the meantime, they go on', async () => {
  const { made, ends, settled, namesMade } = lineOf(2, 'a', 'b', 'c', 'd');
  await settled();
  made[1]?.fail(new Error('no such run'));
  await settled();
  made[0]?.fail(away());
  await settled();
  expect(namesMade()).toEqual(['a', 'b', 'c', 'd']);
  expect(Object.keys(ends)).toEqual(['b', 'a']);
});
