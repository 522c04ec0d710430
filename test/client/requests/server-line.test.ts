import { type LineOptions, ServerLine } from '../../../client/requests/server-line';
import { until } from '../../until';

interface Call {
  name: string;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

/** Calls that have been made, and what has become of all. */
function lineOf(
  atOnce: number,
  names: string[],
  { place, away: silence, ...options }: LineOptions & { place?: number; away?: number } = {},
) {
  const line = new ServerLine(atOnce, place, silence);
  const made: Call[] = [];
  const ends: Record<string, unknown> = {};
  const ask = (name: string) =>
    line
      .call(() => new Promise((answer, fail) => made.push({ name, answer, fail })), options)
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
  return { line, made, ends, ask, settled, namesMade: () => made.map(({ name }) => name) };
}

const refused = (code: number) => Object.assign(new Error('no answer'), { code, details: '', metadata: {} });
/** DEADLINE_EXCEEDED. */
const away = () => refused(4);

test('calls wait for their turn, in order, and each end lets the next one begin', async () => {
  const { made, ends, settled, namesMade } = lineOf(2, ['a', 'b', 'c', 'd', 'e']);
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
  const { made, ends, ask, settled, namesMade } = lineOf(1, ['a', 'b', 'c'], { away: 0 });
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
  const { made, ends, settled, namesMade } = lineOf(2, ['a', 'b', 'c', 'd']);
  await settled();
  made[1]?.fail(new Error('no such run'));
  await settled();
  made[0]?.fail(away());
  await settled();
  expect(namesMade()).toEqual(['a', 'b', 'c', 'd']);
  expect(Object.keys(ends)).toEqual(['b', 'a']);
});

test('a call that waits for a worker gives up its place, and its end lets no second one pass', async () => {
  const { line, made, ends, settled, namesMade } = lineOf(1, ['a', 'b', 'c'], { place: 20 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  // A server that answers nothing is asked nothing more.
  expect(namesMade()).toEqual(['a']);
  line.heard();
  await until(() => made.length === 2, 'the place of the first');
  made[0]?.answer(1);
  await settled();
  expect(namesMade()).toEqual(['a', 'b']);
  made[1]?.answer(2);
  await settled();
  expect(namesMade()).toEqual(['a', 'b', 'c']);
  expect(ends).toEqual({ a: 1, b: 2 });
});

test('with patience a call is made again in its place while the server answers others', async () => {
  const { made, ends, settled, namesMade } = lineOf(2, ['a', 'b', 'c'], { patience: 1_000, away: 0 });
  await settled();
  made[1]?.answer(2);
  await settled();
  made[0]?.fail(away());
  await until(() => made.length === 4, 'the second try');
  expect(namesMade()).toEqual(['a', 'b', 'c', 'a']);
  // RESOURCE_EXHAUSTED is an answer.
  made[2]?.fail(refused(8));
  await until(() => made.length === 5, 'the second try of the other');
  expect(ends).toEqual({ b: 2 });
  made[4]?.answer(3);
  // As long as its patience lasts.
  await until(() => {
    made.at(-1)?.fail(away());
    made[3]?.fail(away());
    return Object.keys(ends).length === 3;
  }, 'the end');
  expect(ends).toEqual({ a: 'no answer', b: 2, c: 3 });
  expect(made.length).toBeGreaterThan(5);
});

test('a reader that leaves gives up its turn', async () => {
  const left = new AbortController();
  const { made, ends, ask, settled, namesMade } = lineOf(1, ['a', 'b'], { signal: left.signal });
  await settled();
  left.abort(new Error('left'));
  await settled();
  expect(ends).toEqual({ b: 'left' });
  made[0]?.answer(1);
  await settled();
  void ask('c');
  await settled();
  expect(ends).toEqual({ a: 1, b: 'left', c: 'left' });
  expect(namesMade()).toEqual(['a']);
});

test('while all places are taken, a first silence is not an absence: the call is made again, and the others wait on', async () => {
  const { made, ends, settled, namesMade } = lineOf(1, ['a', 'b'], { patience: 60_000, away: 100 });
  await settled();
  made[0]?.fail(away());
  await until(() => made.length === 2, 'the second try');
  expect(namesMade()).toEqual(['a', 'a']);
  expect(ends).toEqual({});
  made[1]?.fail(away());
  await settled();
  expect(ends).toEqual({ a: 'no answer', b: 'no answer' });
});
