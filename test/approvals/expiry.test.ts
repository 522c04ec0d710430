import { defineAgent, defineTool } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { openDesk, paid, pay } from './desk';

let stopped = false;
const escalate = (onExpire?: 'fail') => ({
  expires: '1d' as const,
  deciders: ['ann'],
  onExpire: { escalate: ['boss'], expires: '2d' as const, ...(onExpire === undefined ? {} : { onExpire }) },
});
const agent = defineAgent({
  name: 'test.expiry',
  instructions: 'pay',
  tools: {
    lax: pay('lax', { expires: '1d' }),
    // The test server skips no time while a tool runs.
    quick: pay('quick', { expires: 1500, onExpire: 'fail' }),
    strict: pay('strict', { expires: '1d', onExpire: 'fail' }),
    urgent: pay('urgent', escalate()),
    dire: pay('dire', escalate('fail')),
    always: pay('always', 'always'),
    left: pay('left', 'always', { cancellation: 'abandon' }),
    free: pay('free'),
    slow: defineTool({
      description: 'works until it is stopped',
      inputSchema: z.object({}),
      effect: 'read',
      timeout: '1d',
      execute: (_, { signal }) =>
        new Promise((_done, fail) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            fail(signal.reason);
          });
        }),
    }),
  },
});
const desk = openDesk({ agents: [agent] });

test('a call without a decision in time is not run, and the model is told so', async () => {
  const run = await desk.start(agent, [call('lax', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect((ask.expiresAt ?? 0) - ask.requestedAt).toBe(86_400_000);
  expect(await desk.end(run)).toBe('done');
  expect(paid).toEqual([]);
  expect(desk.told()).toContain('`lax` was not run: it was not approved in time.');
  expect(await factsOf(run, 'approval.expired')).toMatchObject([{ toolUseId: 't1.1', name: 'lax' }]);
  expect(await factsOf(run, 'tool.error')).toMatchObject([{ error: { type: 'ApprovalExpired' } }]);
});

test('a late decision is refused by name, while other calls still wait', async () => {
  const run = await desk.start(agent, [calls(['lax', { amount: 1 }], ['always', { amount: 2 }]), text('done')]);
  const asks = (await run.waiting({ atLeast: { approvals: 2 } })).approvals;
  await desk.kit.skip('25h');
  await waitForFact(run, 'approval.expired');
  const [lax, always] = asks.sort((a, b) => (a.tool < b.tool ? 1 : -1));
  await expect(run.approve(lax, { by: 'ann' })).rejects.toMatchObject({
    type: 'ApprovalExpired',
    data: { id: run.id, toolUseId: 't1.1' },
  });
  expect((await run.waiting()).approvals).toMatchObject([{ toolUseId: 't1.2' }]);
  await run.approve(always as typeof lax, { by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual([['always', 2]]);
});

test('with `onExpire: fail`, the run fails without a decision, and its other calls are stopped in order', async () => {
  const run = await desk.start(agent, [
    calls(['quick', { amount: 1 }], ['free', { amount: 2 }], ['always', { amount: 3 }], ['slow', {}]),
  ]);
  await run.waiting({ atLeast: { approvals: 2 } });
  await waitForFact(run, 'tool.result');
  const error = await desk.fail(run);
  expect(error).toMatchObject({
    type: 'ApprovalExpired',
    data: { id: run.id, toolUseId: 't1.1', tool: 'quick' },
    message: `No one decided on the call \`t1.1\` of \`quick\` of the run \`${run.id}\` in time.`,
  });
  expect(paid).toEqual([['free', 2]]);
  expect(stopped).toBe(true);
  const errors = (await factsOf(run, 'tool.error')).map(({ name, error: { type } }) => [name, type]);
  expect(errors.sort()).toEqual([
    ['always', 'ToolCancelled'],
    ['quick', 'ApprovalExpired'],
    ['slow', 'ToolCancelled'],
  ]);
  expect((await run.waiting()).approvals).toEqual([]);
});

test('a call that waited for a person at the end of the run was not run, even one that a cancel abandons', async () => {
  const run = await desk.start(agent, [calls(['strict', { amount: 1 }], ['left', { amount: 2 }])]);
  await run.waiting({ atLeast: { approvals: 2 } });
  await desk.fail(run);
  const errors = (await factsOf(run, 'tool.error')).map(({ name, error: { type } }) => [name, type]);
  expect(errors.sort()).toEqual([
    ['left', 'ToolCancelled'],
    ['strict', 'ApprovalExpired'],
  ]);
  expect((await run.state()).unknownOutcomes).toEqual([]);
});

test('a run that is cancelled while it waits ends at once, with its transcript whole', async () => {
  const run = await desk.start(agent, [calls(['always', { amount: 1 }], ['left', { amount: 2 }])]);
  await run.waiting({ atLeast: { approvals: 2 } });
  await run.cancel();
  expect(await desk.fail(run)).toMatchObject({ type: 'Cancelled' });
  expect((await factsOf(run, 'tool.error')).map(({ error }) => error.type)).toEqual(['ToolCancelled', 'ToolCancelled']);
  expect((await run.state()).unknownOutcomes).toEqual([]);
});

test('after the expiry other people are asked, and the first ones can no longer decide', async () => {
  const run = await desk.start(agent, [call('urgent', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(ask).toMatchObject({ deciders: ['ann'] });
  await expect(run.approve(ask, { by: 'boss' })).rejects.toMatchObject({ type: 'NotADecider' });
  await desk.kit.skip('1d');
  expect(await waitForFact(run, 'approval.escalated')).toMatchObject({ toolUseId: 't1.1', deciders: ['boss'] });
  const {
    approvals: [again],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(again).toMatchObject({ toolUseId: 't1.1', deciders: ['boss'], escalated: true });
  expect((again.expiresAt ?? 0) - (ask.expiresAt ?? 0)).toBeGreaterThanOrEqual(2 * 86_400_000);
  await expect(run.approve(again, { by: 'ann' })).rejects.toMatchObject({
    type: 'NotADecider',
    data: { by: 'ann', deciders: ['boss'] },
  });
  await run.approve(again, { by: 'boss' });
  expect(await desk.end(run)).toBe('done');
  expect(paid).toEqual([['urgent', 1]]);
});

test('without a decision after the escalation the call is denied', async () => {
  const run = await desk.start(agent, [call('urgent', { amount: 1 }), text('done')]);
  await desk.end(run);
  expect(paid).toEqual([]);
  expect(desk.told()).toContain('it was not approved in time');
  const [asked] = await factsOf(run, 'approval.requested');
  const [expired] = await factsOf(run, 'approval.expired');
  expect((expired?.time ?? 0) - (asked?.time ?? 0)).toBeGreaterThanOrEqual(3 * 86_400_000);
});

test('without a decision after the escalation the run fails, if the escalation says so', async () => {
  const run = await desk.start(agent, [call('dire', { amount: 1 })]);
  expect(await desk.fail(run)).toMatchObject({ type: 'ApprovalExpired', data: { tool: 'dire' } });
  expect(await factsOf(run, 'approval.escalated')).toHaveLength(1);
});
