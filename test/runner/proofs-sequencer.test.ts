const ProofsSequencer = require('./proofs-sequencer');

const NAMES = [
  'a.long',
  'undo/undo.long',
  'b.long',
  'chains/random.long',
  'package/package.long',
  'c.long',
  'hostile/ai-sdk.long',
  'chains/long-conversation.long',
];

function order(draw?: number): string[] {
  const context = { config: { cache: false, id: 'proofs' }, hasteFS: { getSize: () => 1 } };
  const tests = NAMES.map((name) => ({ path: `/somewhere/test/${name}.ts`, context }));
  if (draw !== undefined) process.env.HOLDFAST_PROOFS_DRAW = String(draw);
  const sorted: { path: string }[] = new ProofsSequencer().sort(tests);
  return sorted.map(({ path }) => path.replace(/^.*\/test\/(.*)\.ts$/, '$1'));
}

beforeEach(() => void jest.spyOn(process.stderr, 'write').mockReturnValue(true));
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.HOLDFAST_PROOFS_DRAW;
});

test('without a draw, the longest begin first, and none is left out', () => {
  expect(order().slice(0, 5)).toEqual([
    'package/package.long',
    'chains/random.long',
    'chains/long-conversation.long',
    'hostile/ai-sdk.long',
    'undo/undo.long',
  ]);
  expect(order().toSorted()).toEqual(NAMES.toSorted());
});

test('each file has its turn, and a draw can be repeated', () => {
  const draws = [1, 2, 3].map(order);
  expect(new Set(draws.flat())).toEqual(new Set(NAMES));
  expect(order(2)).toEqual(draws[1]);
  // What is short is in each draw, and sometimes before the others that are.
  const short = Array.from({ length: 30 }, (_, draw) => order(draw).find((name) => /^[abc]\./.test(name)));
  expect(new Set(short)).toEqual(new Set(['a.long', 'b.long', 'c.long']));
});

test('of those that run alone, each has its turn to be first, and a long one is not always the first when it is drawn', () => {
  const context = { config: { cache: false, id: 'proofs' }, hasteFS: { getSize: () => 1 } };
  const names = ['determinism/random', 'hostile/inputs-worker', 'hostile/inputs-fleet', 'a', 'b'];
  const tests = names.map((name) => ({ path: `/somewhere/test/${name}.alone.ts`, context }));
  const drawn = Array.from({ length: 60 }, (_, draw) => {
    process.env.HOLDFAST_PROOFS_DRAW = String(draw);
    return new ProofsSequencer().sort(tests).map(({ path }: { path: string }) => /test\/(.*)\.alone/.exec(path)?.[1]);
  });
  expect(new Set(drawn.map(([first]) => first))).toEqual(new Set(names));
  const withLong = drawn.filter((order) => order.includes('hostile/inputs-fleet'));
  expect(withLong.some(([first]) => first === 'a')).toBe(true);
});

test('a draw names what it leaves out', () => {
  order(1);
  expect(process.stderr.write).toHaveBeenCalledWith(expect.stringContaining('  test/chains/random.long.ts\n'));
});
