import type { Ctx } from '../../../agent/define/context';
import { hash, judge, refund, rules, tool } from './judge';

test('functions that never end have one second in total; the results of the others count', async () => {
  const warned: object[] = [];
  const started = Date.now();
  const approval = rules({ when: () => new Promise(() => {}), rememberBy: ({ account }: typeof refund) => account });
  const hanging = rules({ rememberBy: () => new Promise(() => {}) });
  const more = Array.from({ length: 20 }, (_, i) => `hanging${i}`);
  const ruled = await judge({
    tools: {
      refund: tool(approval),
      quick: tool(rules({ when: () => false })),
      ...Object.fromEntries(more.map((name) => [name, tool(hanging)])),
    } as never,
    calls: ['refund', 'quick', ...more].map((name) => ({ name, input: refund })),
    warned,
  });
  expect(ruled).toEqual([
    { needed: true, key: 'by:a1' },
    { needed: false, key: '' },
    ...more.map(() => ({ needed: true, key: hash(refund) })),
  ]);
  // One second for each would be 21.
  expect(Date.now() - started).toBeLessThan(2500);
  expect(warned).toHaveLength(1 + more.length);
});

test('a call after functions that blocked the worker for too long is put to a person', async () => {
  const block = () => {
    const end = Date.now() + 1100;
    while (Date.now() < end);
    return false;
  };
  const ruled = await judge({
    tools: { refund: tool(rules({ when: block })), quick: tool(rules({ when: () => false })) } as never,
    calls: ['refund', 'quick'].map((name) => ({ name, input: refund })),
  });
  // The one that blocked returned false, but too late.
  expect(ruled).toEqual(Array(2).fill({ needed: true, key: '' }));
});

test('a function that takes too long, or whose run is cancelled, sees its signal abort, and delays nothing', async () => {
  const signals: AbortSignal[] = [];
  const cancel = new AbortController();
  const when = (_: unknown, { signal }: Ctx) => {
    signals.push(signal);
    if (signals.length > 1) cancel.abort();
    return new Promise(() => {});
  };
  const tools = { refund: tool(rules({ when })) } as never;
  expect(await judge({ tools })).toEqual([{ needed: true, key: '' }]);
  // Their second does not pass.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  expect(await judge({ tools, cancelled: cancel.signal })).toEqual([{ needed: true, key: '' }]);
  jest.useRealTimers();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
