import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { LoopWatch } from '../../../activities/loop-watch';
import type { Log } from '../../../agent/define/context';
import { until } from '../../until';

const warnings: { calls: { tool: string }[]; seconds: number }[] = [];
const texts: Record<'warn' | 'debug', string[]> = { warn: [], debug: [] };
const log: Log = {
  debug: (_, text = '') => texts.debug.push(text),
  info() {},
  error() {},
  warn(fields, text = '') {
    warnings.push(fields as never);
    texts.warn.push(text);
  },
};

let watch: LoopWatch;
beforeEach(() => {
  for (const list of [warnings, texts.warn, texts.debug]) list.length = 0;
  watch = new LoopWatch(log, { told: false }).start();
});
afterEach(() => watch.close());

/** Milliseconds: longer than the limit for logging. */
const LONG = 1300;
const block = (ms = LONG) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};
const named = () => warnings.map(({ calls }) => calls.map(({ tool }) => tool));

test('a function that blocks before it waits is named, with the time, whatever else is in progress', async () => {
  const other = watch.run({ run: 'a', tool: 'other' }, () => setTimeout(LONG + 1000));
  const told: number[] = [];
  const given = await watch.run(
    { run: 'b', tool: 'blocks' },
    () => {
      block();
      return 'given';
    },
    (ms) => told.push(ms),
  );
  expect(given).toBe('given');
  await until(() => warnings.length > 0, 'the warning');
  await other;
  expect(named()).toEqual([['blocks']]);
  expect(texts.warn[0]).toMatch(
    /^`blocks` of the run `b` has blocked the worker for \d+(\.\d)? s: nothing else runs in it meanwhile\. Hand such work to a thread or a process\.$/,
  );
  expect(told).toHaveLength(1);
  expect(told[0]).toBeGreaterThanOrEqual(LONG);
});

test('a function that blocks after its first await is known if it is the only one', async () => {
  const told: number[] = [];
  const blocks = async () => {
    await setTimeout(300);
    block();
  };
  await watch.run({ run: 'b', tool: 'blocks' }, blocks, (ms) => told.push(ms));
  await until(() => warnings.length > 0, 'the warning');
  expect(named()).toEqual([['blocks']]);
  expect(told).toHaveLength(1);
});

test('`blocked` is called in the context of the call, even while the call still waits', async () => {
  const context = new AsyncLocalStorage<string>();
  const told: (string | undefined)[] = [];
  const blocks = async () => {
    await setTimeout(300);
    block();
    await setTimeout(1000);
  };
  await context.run('the call', () =>
    watch.run({ run: 'b', tool: 'blocks' }, blocks, () => told.push(context.getStore())),
  );
  expect(told).toEqual(['the call']);
});

test('of several that have awaited, any may be the one: all are named, and none is blamed', async () => {
  const told: string[] = [];
  const run = (tool: string, work: () => Promise<void>) => watch.run({ run: 'r', tool }, work, () => told.push(tool));
  await Promise.all([
    run('waits', () => setTimeout(LONG + 1000)),
    run('blocks', async () => {
      await setTimeout(300);
      block();
    }),
  ]);
  await until(() => warnings.length > 0, 'the warning');
  expect(named().map((tools) => tools.sort())).toEqual([['blocks', 'waits']]);
  expect(told).toEqual([]);
});

test('a function that waits, throws or takes a moment does not block', async () => {
  await watch.run({ run: 'r', tool: 'waits' }, () => setTimeout(LONG));
  await watch.run({ run: 'r', tool: 'short' }, () => block(100));
  const fails = watch.run({ run: 'r', tool: 'throws' }, () => {
    throw new Error('no');
  });
  await expect(fails).rejects.toThrow('no');
  await setTimeout(600);
  expect(warnings).toEqual([]);
});

// On a busy machine it occurs at every start. A newcomer can do nothing about it.
test('a block outside the functions of agents is a warning only once it endangers heartbeats', async () => {
  await setTimeout(300);
  block();
  await until(() => texts.debug.length > 0, 'the line for developers');
  expect(texts.debug[0]).toMatch(
    /^The worker has stood still for \d+(\.\d)? s, and it was in no function of an agent\. /,
  );
  expect(warnings).toEqual([]);
  block(6000);
  await until(() => warnings.length > 0, 'the warning');
  expect(texts.warn[0]).toMatch(
    / Either the machine is too busy \(.*`worker\.maxConcurrentActivities`\), or other code /,
  );
}, 30_000);

test('what a process does before its worker runs is not told', async () => {
  const told: string[] = [];
  const note = (_: object, text = '') => void told.push(text);
  const early = new LoopWatch({ debug: note, info: note, warn: note, error: note }, { told: false });
  block();
  early.start();
  await setTimeout(600);
  await early.close();
  expect(told).toEqual([]);
});
