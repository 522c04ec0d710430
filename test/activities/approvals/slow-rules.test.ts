import type { Ctx } from '../../../agent/define/context';
import { hash, judge, refund, rules, tool } from './judge';

test('functions that never end have one second in total; the results of the others count', async () => {
  const warned: object[] = [];
  const started = Date.now();
  const approval = rules({ when: () => new Promise(() => {}), rememberBy: ({ account }: typeof refund) => account });
  const hanging = rules({ rememberBy: () => new Promise(() => {}) });
  const ruled = await judge({
    tools: { refund: tool(approval), quick: tool(rules({ when: () => false })), hanging: tool(hanging) } as never,
    calls: ['refund', 'quick', 'hanging'].map((name) => ({ name, input: refund })),
    warned,
  });
  expect(ruled).toEqual([
    { needed: true, key: 'by:a1' },
    { needed: false, key: '' },
    { needed: true, key: hash(refund) },
  ]);
  expect(Date.now() - started).toBeLessThan(2500);
  expect(warned).toHaveLength(2);
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
  const started = Date.now();
  expect(await judge({ tools, cancelled: cancel.signal })).toEqual([{ needed: true, key: '' }]);
  expect(Date.now() - started).toBeLessThan(900);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
