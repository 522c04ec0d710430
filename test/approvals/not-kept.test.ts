import { WorkflowClient } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { defineAgent } from 'holdfast';
import { call, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { openDesk, paid, pay } from './desk';

const agent = defineAgent({ name: 'test.desk', instructions: 'pay', tools: { one: pay('one', 'always') } });
const desk = openDesk({ agents: [agent] }, 'still');
afterEach(() => jest.restoreAllMocks());

/** The server refuses, as after 10,000 signals. */
function refuse(): void {
  const refusal = ApplicationFailure.nonRetryable('the limit of signals is reached');
  jest.spyOn(WorkflowClient.prototype, 'signalWithStart').mockRejectedValue(refusal);
}

test('a denial for the agent that cannot be kept is reported by name, and the call is still denied', async () => {
  refuse();
  const run = await desk.start(agent, [call('one', { amount: 1 }), text('ok')]);
  await run.deny((await run.waiting({ atLeast: { approvals: 1 } })).approvals[0], {
    by: 'bob',
    remember: 'agent',
    reason: 'never',
  });
  expect(await desk.end(run)).toBe('ok');
  const lost = { toolUseId: 't1.1', name: 'one', key: '', allowed: false, by: 'bob' };
  expect(await factsOf(run, 'approval.unremembered')).toMatchObject([
    { ...lost, problem: expect.stringContaining('the limit of signals is reached') },
  ]);
  expect(desk.told()).toContain('bob denied it: never');
});

test('an approved call runs although the approval cannot be kept for others', async () => {
  refuse();
  const run = await desk.start(agent, [call('one', { amount: 2 }), text('ok')]);
  await run.approve((await run.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'ann', remember: 'agent' });
  await desk.end(run);
  expect(paid).toEqual([['one', 2]]);
  expect(await factsOf(run, 'approval.unremembered')).toMatchObject([{ allowed: true, by: 'ann' }]);
});
