import { defineAgent, defineTool } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { z } from 'zod';
import { hashOfArguments } from '../../runtime/sha256';
import { factsOf } from '../facts';
import { keys, openDesk, paid, pay } from './desk';

const ruled: number[] = [];
afterEach(() => {
  ruled.length = 0;
});
const agent = defineAgent({
  name: 'test.edit',
  instructions: 'pay',
  tools: {
    always: pay('always', 'always'),
    sized: pay('sized', {
      when: ({ amount }) => ruled.push(amount) > 0,
      rememberBy: ({ amount }) => (amount > 1000 ? 'large' : 'small'),
    }),
    even: defineTool({
      description: 'takes even numbers',
      inputSchema: z.object({ n: z.number().refine((n) => n % 2 === 0, 'has to be even') }),
      approval: 'always',
      execute: ({ n }) => void paid.push(n),
    }),
    broken: defineTool({
      description: 'throws',
      inputSchema: z.object({ n: z.number() }),
      approval: 'always',
      execute: ({ n }) => {
        throw new Error(`${n} is too many`);
      },
    }),
  },
});
const desk = openDesk({ agents: [agent] });

test('an edited call runs with the new arguments, and the model is told who changed what', async () => {
  const run = await desk.start(agent, [call('always', { amount: 900 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const taken = await run.edit(ask, { by: 'ann', input: { amount: 9 }, comment: 'less' });
  expect(taken).toMatchObject({ decision: 'edit', by: 'ann', comment: 'less' });
  await desk.end(run);
  expect(paid).toEqual([['always', 9]]);
  const { chainId } = await run.state();
  expect(keys).toEqual([`${chainId}/${hashOfArguments({ amount: 9 }).slice(0, 32)}/t1.1`]);
  expect(desk.told()).toContain('ann changed the arguments before the call ran, to: {\\"amount\\":9}');
  expect(desk.told()).toContain('paid 9');
  const uses = (await run.transcript()).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool_use'));
  expect(uses).toMatchObject([{ toolUseId: 't1.1', input: { amount: 900 } }]);
  expect(await factsOf(run, 'approval.decided')).toMatchObject([{ decision: 'edit', input: { amount: 9 } }]);
});

test('a remembered edit applies to calls like the new arguments, and not to those of the model', async () => {
  const run = await desk.start(agent, [
    call('sized', { amount: 5000 }),
    call('sized', { amount: 2 }),
    call('sized', { amount: 6000 }),
    text('done'),
  ]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.edit(ask, { by: 'ann', input: { amount: '9' }, remember: 'run' });
  const {
    approvals: [again],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(again).toMatchObject({ toolUseId: 't3.1', input: { amount: 6000 } });
  await run.deny(again, { by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual([
    ['sized', 9],
    ['sized', 2],
  ]);
  expect(await factsOf(run, 'approval.remembered')).toMatchObject([{ toolUseId: 't2.1', allowed: true, by: 'ann' }]);
});

test('approvers, rules and the tool see the arguments after coercion', async () => {
  const run = await desk.start(agent, [call('sized', { amount: '70', note: null }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(ask).toMatchObject({ input: { amount: 70 }, hash: hashOfArguments({ amount: 70 }) });
  expect(ruled).toEqual([70]);
  await run.approve(ask, { by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual([['sized', 70]]);
  const uses = (await run.transcript()).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool_use'));
  expect(uses).toMatchObject([{ input: { amount: 70 } }]);
});

test('arguments that break the schema are refused with each path, and the call still waits', async () => {
  const run = await desk.start(agent, [calls(['always', { amount: 1 }], ['even', { n: 2 }]), text('done')]);
  const {
    approvals: [first],
  } = await run.waiting({ atLeast: { approvals: 2 } });
  const second = { toolUseId: 't1.2' };
  await expect(run.edit(first, { by: 'ann', input: { amount: 'many' } })).rejects.toMatchObject({
    type: 'InvalidEdit',
    data: { toolUseId: 't1.1', tool: 'always', problem: expect.stringMatching(/amount/) },
    message: expect.stringMatching(/The call still waits\.$/),
  });
  await expect(run.edit(second, { by: 'ann', input: { n: 3 } })).rejects.toMatchObject({
    type: 'InvalidEdit',
    message: expect.stringMatching(/n: has to be even/),
  });
  expect((await run.waiting()).approvals).toHaveLength(2);
  await run.edit(first, { by: 'ann', input: { amount: 5 } });
  await run.edit(second, { by: 'ann', input: { n: 4 } });
  await desk.end(run);
  expect(paid).toEqual(expect.arrayContaining([['always', 5], 4]));
});

test('another person may decide while arguments are checked: the edit is then refused', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const both = await Promise.allSettled([
    run.edit(ask, { by: 'ann', input: { amount: 2 } }),
    run.deny(ask, { by: 'bob' }),
    run.edit(ask, { by: 'cy', input: { amount: 3 } }),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of both) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ type: 'ApprovalDecided' });
  }
  await desk.end(run);
  expect(paid.length).toBeLessThanOrEqual(1);
});

test('the model is told of the change even if the call then fails', async () => {
  const run = await desk.start(agent, [call('broken', { n: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.edit(ask, { by: 'ann', input: { n: 7 } });
  await desk.end(run);
  expect(desk.told()).toContain('7 is too many');
  expect(desk.told()).toContain('ann changed the arguments');
});

test('ten people may edit large arguments at once; arguments that are too large are refused', async () => {
  const ten = Array.from({ length: 10 }, (): [string, { amount: number }] => ['always', { amount: 1 }]);
  const run = await desk.start(agent, [calls(...ten), text('done')]);
  const asks = (await run.waiting({ atLeast: { approvals: 10 } })).approvals;
  const input = (length: number) => ({ amount: 1, note: 'x'.repeat(length) });
  await expect(run.edit(asks[0], { by: 'ann', input: input(70_000) })).rejects.toMatchObject({
    type: 'InvalidDecision',
    message: expect.stringMatching(/`input` is 700\d+ bytes, more than the limit of 65536/),
  });
  await Promise.all(asks.map((ask) => run.edit(ask, { by: 'ann', input: input(65_000) })));
  await run.result();
  expect(paid).toHaveLength(10);
});
