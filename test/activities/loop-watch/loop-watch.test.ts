import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { LoopWatch } from '../../../activities/loop-watch';
import type { Log } from '../../../agent/define/context';
import { until } from '../../until';

const warnings: { calls: { tool: string }[]; seconds: number }[] = [];
const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => warnings.push(fields as never) } as Log;

let watch: LoopWatch;
beforeEach(() => {
  warnings.length = 0;
  watch = new LoopWatch(log, { told: false });
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
