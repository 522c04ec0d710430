import { randomUUID } from 'node:crypto';
import { defineAgent } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import type { ApprovalOutcome } from '../../agent/state/batch';
import { openDesk, paid, pay } from './desk';

const agent = defineAgent({
  name: 'test.refusals',
  instructions: 'pay',
  tools: { always: pay('always', 'always'), refund: pay('refund', { deciders: ['ann', 'role:finance'] }) },
});
const desk = openDesk({ agents: [agent] });

test('a decision on a call that does not wait is refused, with the calls that do', async () => {
  const run = await desk.start(agent, [calls(['always', { amount: 1 }], ['refund', { amount: 2 }]), text('done')]);
  await run.waiting({ atLeast: { approvals: 2 } });
  await expect(run.approve({ toolUseId: 't9.9' }, { by: 'ann' })).rejects.toMatchObject({
    type: 'ApprovalNotFound',
    data: { id: run.id, toolUseId: 't9.9', pending: ['t1.1', 't1.2'] },
    message: `No call \`t9.9\` of the run \`${run.id}\` waits for a decision; waiting: \`t1.1\`, \`t1.2\`.`,
  });
  for (const toolUseId of ['__proto__', 'constructor', 'toString']) {
    await expect(run.deny({ toolUseId }, { by: 'ann' })).rejects.toMatchObject({ type: 'ApprovalNotFound' });
  }
  await run.deny({ toolUseId: 't1.1' }, { by: 'ann' });
  await run.deny({ toolUseId: 't1.2' }, { by: 'ann' });
  await desk.end(run);
});

test('the second decision on a call is refused, with who decided what and when', async () => {
  const run = await desk.start(agent, [calls(['always', { amount: 1 }], ['refund', { amount: 2 }]), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 2 } });
  const { at } = await run.approve(ask, { by: 'ann' });
  await expect(run.deny(ask, { by: 'bob' })).rejects.toMatchObject({
    type: 'ApprovalDecided',
    data: { toolUseId: 't1.1', decision: 'approved', by: 'ann', at: new Date(at).toISOString() },
  });
  await run.deny({ toolUseId: 't1.2' }, { by: 'ann', reason: 'no' });
  await desk.end(run);
  expect(paid).toEqual([['always', 1]]);
});

test('the second decision on a call is refused in a later batch as well', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), call('always', { amount: 2 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.deny(ask, { by: 'bob' });
  const next = (await run.waiting({ atLeast: { approvals: 1 } })).approvals;
  expect(next).toMatchObject([{ toolUseId: 't2.1' }]);
  await expect(run.approve(ask, { by: 'ann' })).rejects.toMatchObject({
    type: 'ApprovalDecided',
    data: { decision: 'denied', by: 'bob' },
  });
  await run.approve(next[0], { by: 'ann' });
  await desk.end(run);
});

test('a decision on arguments other than those that wait is refused', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await expect(run.approve({ ...ask, hash: 'other' }, { by: 'ann' })).rejects.toMatchObject({
    type: 'ApprovalMismatch',
    data: { expected: ask.hash, given: 'other' },
  });
  await run.approve(ask, { by: 'ann' });
  await desk.end(run);
});

test('a person who is not among the deciders is refused, and a role counts as one of them', async () => {
  const run = await desk.start(agent, [call('refund', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const refused = { type: 'NotADecider', data: { toolUseId: 't1.1', deciders: ['ann', 'role:finance'] } };
  await expect(run.approve(ask, { by: 'bob' })).rejects.toMatchObject(refused);
  await expect(run.approve(ask, { by: 'bob', roles: ['sales', 'role:finance'] })).rejects.toMatchObject(refused);
  await expect(run.edit(ask, { by: 'bob', input: { amount: 2 } })).rejects.toMatchObject(refused);
  // A name that looks like a role is not a role.
  await expect(run.deny(ask, { by: 'role:finance' })).rejects.toMatchObject(refused);
  await run.approve(ask, { by: 'bob', roles: ['finance'] });
  await desk.end(run);
  expect(paid).toEqual([['refund', 1]]);
});

test.each([
  ['nothing', 'approve', undefined, /Expected an object/],
  ['a list', 'approve', [], /Expected an object/],
  ['no call', 'approve', { by: 'ann' }, /Expected `toolUseId`/],
  ['no name', 'approve', { toolUseId: 't1.1' }, /Expected `by`/],
  ['an empty name', 'deny', { toolUseId: 't1.1', by: '' }, /Expected `by`/],
  ['a name that is blank', 'deny', { toolUseId: 't1.1', by: '  ' }, /Expected `by`/],
  ['an unknown field', 'approve', { toolUseId: 't1.1', by: 'ann', reason: 'x' }, /Unknown field `reason`/],
  ['invalid roles', 'approve', { toolUseId: 't1.1', by: 'ann', roles: 'finance' }, /`roles`/],
  ['an unknown value of `remember`', 'approve', { toolUseId: 't1.1', by: 'ann', remember: 'always' }, /`remember`/],
  ['invalid arguments', 'edit', { toolUseId: 't1.1', by: 'ann', input: [1] }, /`input`/],
  ['a text too long', 'approve', { toolUseId: 't1.1', by: 'ann', comment: 'x'.repeat(3000) }, /`comment`.*2000/],
  ['a name too long', 'approve', { toolUseId: 't1.1', by: 'x'.repeat(3000) }, /`by`.*200/],
  ['an id too long', 'approve', { toolUseId: 'x'.repeat(900_000), by: 'ann' }, /`toolUseId`.*100/],
  ['a field too long', 'approve', { toolUseId: 't1.1', by: 'ann', ['x'.repeat(900_000)]: 1 }, /Unknown field `x/],
])('an invalid decision is refused: %s', async (_what, kind, payload, message) => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const handle = desk.kit.temporal.client.workflow.getHandle(run.id);
  const sent = handle.executeUpdate(kind, { args: [payload] });
  await expect(sent).rejects.toMatchObject({
    cause: { type: 'InvalidDecision', message: expect.stringMatching(message) },
  });
  expect((await run.waiting()).approvals).toHaveLength(1);
  await run.approve(ask, { by: 'ann' });
  await desk.end(run);
});

test('our client says what is wrong with such a decision', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await expect(run.approve(ask, { by: '' })).rejects.toMatchObject({
    type: 'InvalidDecision',
    data: { problem: 'Expected `by` to be a string' },
    message: 'Invalid decision: Expected `by` to be a string.',
  });
  await run.approve(ask, { by: 'ann' });
  await desk.end(run);
});

test('a decision on a run that has ended says so, and how; a run that never existed is not found', async () => {
  const run = await desk.start(agent, [text('done')]);
  await desk.end(run);
  const ask = { toolUseId: 't1.1' };
  await expect(run.approve(ask, { by: 'ann' })).rejects.toMatchObject({
    type: 'RunEnded',
    data: { id: run.id, status: 'completed' },
  });
  await expect(run.waiting({ atLeast: { approvals: 1 } })).rejects.toMatchObject({ type: 'RunEnded' });
  expect((await run.waiting()).approvals).toEqual([]);
  const none = desk.kit.client.get('test.refusals-none');
  await expect(none.deny(ask, { by: 'ann' })).rejects.toMatchObject({ type: 'RunNotFound' });
  await expect(none.waiting({ atLeast: { approvals: 1 } })).rejects.toMatchObject({ type: 'RunNotFound' });
  await expect(none.waiting()).rejects.toMatchObject({ type: 'RunNotFound' });
});

test('a terminated run no longer waits for anything', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 })]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.workflow.terminate('enough');
  expect((await run.waiting()).approvals).toEqual([]);
  const ended = { type: 'RunEnded', data: { status: 'terminated' } };
  await expect(run.waiting({ atLeast: { approvals: 1 } })).rejects.toMatchObject(ended);
  await expect(run.approve(ask, { by: 'ann' })).rejects.toMatchObject(ended);
});

test('the same decision sent twice under one update id is taken once', async () => {
  const run = await desk.start(agent, [call('always', { amount: 1 }), text('done')]);
  await run.waiting({ atLeast: { approvals: 1 } });
  const handle = desk.kit.temporal.client.workflow.getHandle(run.id);
  const options = { updateId: randomUUID(), args: [{ toolUseId: 't1.1', by: 'ann' }] as [object] };
  const send = () => handle.executeUpdate<ApprovalOutcome, [object]>('approve', options);
  const [one, two] = await Promise.all([send(), send()]);
  expect(one).toEqual(two);
  expect(one).toMatchObject({ decision: 'approve', by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual([['always', 1]]);
  expect((await run.state()).ignored).toEqual({});
});

test('of two people who decide at the same moment one wins, and the other is refused', async () => {
  const run = await desk.start(agent, [calls(['always', { amount: 1 }], ['refund', { amount: 2 }]), text('done')]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 2 } });
  const both = await Promise.allSettled([run.approve(ask, { by: 'ann' }), run.deny(ask, { by: 'bob' })]);
  const [won] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const lost = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(lost).toMatchObject([{ type: 'ApprovalDecided', data: { by: won?.by } }]);
  await run.deny({ toolUseId: 't1.2' }, { by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual(won?.by === 'ann' ? [['always', 1]] : []);
});
