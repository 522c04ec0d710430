import { defineAgent, defineTool } from 'holdfast';
import { call, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { openDesk } from './desk';

const begun: string[] = [];
/** The first call never ends by itself. */
const wire = (name: string, approval?: 'always') =>
  defineTool({
    description: name,
    inputSchema: z.object({ to: z.string() }),
    timeout: 300,
    ...(approval === undefined ? {} : { approval }),
    execute: ({ to }) => {
      begun.push(`${name} ${to}`);
      return begun.length === 1 ? new Promise(() => undefined) : 'wired';
    },
  });
const agent = defineAgent({
  name: 'test.unknown',
  instructions: 'wire',
  tools: {
    asked: wire('asked', 'always'),
    rarely: defineTool({ ...wire('rarely'), approval: { when: () => false } }),
    free: wire('free'),
  },
});
const desk = openDesk({ agents: [agent] }, 'still');
afterEach(() => {
  begun.length = 0;
});

test.each([
  ['approved, it runs again', 'approve', ['asked a', 'asked a'], 'wired'],
  ['denied, it does not', 'deny', ['asked a'], 'denied it'],
] as const)('a call of unknown outcome waits for a person when it is made again: %s', async (_, kind, runs, told) => {
  const run = await desk.start(agent, [call('asked', { to: 'a' }), call('asked', { to: 'a' }), text('done')]);
  const {
    approvals: [first],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(first.repeats).toBeUndefined();
  await run.approve(first, { by: 'ann', remember: 'run' });
  const {
    approvals: [again],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(again).toMatchObject({ toolUseId: 't2.1', repeats: 't1.1', input: { to: 'a' } });
  await run[kind](again, { by: 'ann' });
  expect(await desk.end(run)).toBe('done');
  expect(begun).toEqual(runs);
  expect(desk.told()).toContain(told);
  expect(await factsOf(run, 'approval.requested')).toMatchObject([{ toolUseId: 't1.1' }, { repeats: 't1.1' }]);
});

test('a repeat of unknown outcome waits even if the tool itself needs no decision', async () => {
  const run = await desk.start(agent, [call('rarely', { to: 'a' }), call('rarely', { to: 'a' }), text('done')]);
  const {
    approvals: [again],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(again).toMatchObject({ toolUseId: 't2.1', repeats: 't1.1' });
  await run.deny(again, { by: 'ann' });
  await desk.end(run);
  expect(begun).toEqual(['rarely a']);
});

test('a repeat of unknown outcome is refused for a tool without an approval policy', async () => {
  const run = await desk.start(agent, [call('free', { to: 'a' }), call('free', { to: 'a' }), text('done')]);
  expect(await desk.end(run)).toBe('done');
  expect(begun).toEqual(['free a']);
  expect((await factsOf(run, 'tool.error')).map(({ error }) => error.type)).toEqual([
    'OutcomeUnknown',
    'OutcomeUnknown',
  ]);
});
