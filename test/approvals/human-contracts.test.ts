import { defineAgent, humanReview, signalService, toolApproval } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { openDesk, paid, pay } from './desk';

const agent = (name: string) =>
  defineAgent({
    name,
    instructions: 'pay',
    tools: { refund: pay('refund', 'always'), wire: pay('wire', 'always') },
    services: {
      human_review: signalService(humanReview, '1.0.0'),
      tool_approval: signalService(toolApproval, '1.0.0'),
    },
  });
const desk = openDesk({ agents: [agent('test.first'), agent('test.then')] }, 'still');

test('calls that ask a person run first: a review before approvals, those before the calls', async () => {
  const first = agent('test.first');
  const ask = { message: 'May I?', tools: ['refund'] };
  const run = await desk.start(first, [
    calls(['refund', { amount: 1 }], ['tool_approval', ask], ['human_review', { prompt: 'Is it right?' }]),
    calls(['refund', { amount: 1 }], ['tool_approval', ask]),
    text('done'),
  ]);
  const {
    services: [review],
  } = await run.waiting({ atLeast: { services: 1 } });
  expect(review).toMatchObject({ toolUseId: 't1.3', tool: 'human_review', input: { prompt: 'Is it right?' } });
  expect((await run.waiting()).approvals).toEqual([]);
  await desk.kit.client.completeCall(run.id, 't1.3', { data: { response: 'It is.' } });
  const {
    services: [approval],
  } = await run.waiting({ atLeast: { services: 1 } });
  expect(approval).toMatchObject({ toolUseId: 't2.2', tool: 'tool_approval' });
  await desk.kit.client.completeCall(run.id, 't2.2', { data: { approvals: [] } });
  expect(await desk.end(run)).toBe('done');
  expect(desk.told()).toContain('It is.');
  expect(paid).toEqual([]);
  expect(await factsOf(run, 'tool.dropped')).toMatchObject([
    { turn: 1, name: 'refund', priority: 0 },
    { turn: 1, name: 'tool_approval', priority: 1 },
    { turn: 2, name: 'refund', priority: 0 },
  ]);
});

test('what an approval answer grants runs without asking, what it denies is not run, in later runs too', async () => {
  const then = agent('test.then');
  const run = await desk.start(
    then,
    [
      call('tool_approval', { message: 'May I?', tools: ['refund', 'wire'] }),
      calls(['refund', { amount: 1 }], ['wire', { amount: 2 }]),
      text('done'),
    ],
    { owner: 'u1' },
  );
  await run.waiting({ atLeast: { services: 1 } });
  const approvals = [
    { tool: 'refund', value: true },
    { tool: 'wire', value: false, comments: 'never by wire' },
    { tool: 'unheard-of', value: true },
  ];
  await desk.kit.client.completeCall(run.id, 't1.1', { data: { approvals } });
  expect(await desk.end(run)).toBe('done');
  expect(paid).toEqual([['refund', 1]]);
  expect(desk.told()).toMatch(/denied it: never by wire/);
  expect(await factsOf(run, 'approval.remembered')).toMatchObject([
    { toolUseId: 't2.1', name: 'refund', allowed: true },
    { toolUseId: 't2.2', name: 'wire', allowed: false },
  ]);
  expect(await factsOf(run, 'tool.error')).toMatchObject([{ toolUseId: 't2.2', error: { type: 'Denied' } }]);
  expect(await desk.kit.client.approvals(then).list()).toMatchObject([
    { owner: 'u1', tool: 'refund', key: '', allowed: true },
    { owner: 'u1', tool: 'wire', key: '', allowed: false, comment: 'never by wire' },
  ]);
  const later = await desk.start(then, [calls(['refund', { amount: 3 }], ['wire', { amount: 4 }]), text('ok')], {
    owner: 'u1',
  });
  expect(await desk.end(later)).toBe('ok');
  expect(paid).toEqual([
    ['refund', 1],
    ['refund', 3],
  ]);
});

test('an approval answer that breaks its contract grants nothing', async () => {
  const run = await desk.start(agent('test.first'), [
    call('tool_approval', { message: 'May I?', tools: ['refund'] }),
    call('refund', { amount: 1 }),
    text('done'),
  ]);
  await run.waiting({ atLeast: { services: 1 } });
  await desk.kit.client.completeCall(run.id, 't1.1', { data: { approvals: [{ tool: 'refund', value: 'yes' }] } });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.deny(ask, { by: 'ann' });
  await desk.end(run);
  expect(paid).toEqual([]);
  expect(await factsOf(run, 'tool.error')).toMatchObject([
    { error: { type: 'InvalidAnswer' } },
    { error: { type: 'Denied' } },
  ]);
});
