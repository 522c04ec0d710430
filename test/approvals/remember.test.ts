import { defineAgent } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { openDesk, paid, pay } from './desk';

const size = ({ amount }: { amount: number }) => (amount > 1000 ? 'large' : 'small');
const tools = () => ({
  keyed: pay('keyed', { rememberBy: size, deciders: ['ann', 'bob'] }),
  always: pay('always', 'always'),
});
const agents = Object.fromEntries(
  ['once', 'run', 'agent', 'owner', 'denied', 'both'].map((name) => [
    name,
    defineAgent({ name: `test.${name}`, instructions: 'pay', tools: tools() }),
  ]),
);
const agent = (name: string) => {
  const found = agents[name];
  if (found === undefined) throw new Error(name);
  return found as ReturnType<typeof defineAgent> & { types?: { input: unknown; output: string } };
};
const desk = openDesk({ agents: Object.values(agents) }, 'still');

test('a decision holds only for its call by default', async () => {
  const run = await desk.start(agent('once'), [
    call('always', { amount: 1 }),
    call('always', { amount: 1 }),
    text('ok'),
  ]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.approve(ask, { by: 'ann', remember: 'once' });
  const {
    approvals: [again],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(again.toolUseId).toBe('t2.1');
  await run.approve(again, { by: 'ann' });
  await desk.end(run);
  expect(await desk.kit.client.approvals(agent('once')).list()).toEqual([]);
});

test('a decision for the run holds for later calls with an equal key, and others still ask', async () => {
  const run = await desk.start(agent('run'), [
    call('keyed', { amount: 1 }),
    call('keyed', { amount: 2 }),
    calls(['keyed', { amount: 2000 }], ['keyed', { amount: 3 }], ['always', { amount: 4 }]),
    call('keyed', { amount: 3000 }),
    text('ok'),
  ]);
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const { at } = await run.approve(ask, { by: 'ann', remember: 'run', comment: 'small ones are fine' });
  const asks = (await run.waiting({ atLeast: { approvals: 2 } })).approvals;
  expect(asks).toMatchObject([{ toolUseId: 't3.1' }, { toolUseId: 't3.3' }]);
  await run.deny(asks[0], { by: 'bob', remember: 'run', reason: 'no large ones' });
  await run.approve({ toolUseId: 't3.3' }, { by: 'ann' });
  await desk.end(run);
  expect(paid.sort()).toEqual([
    ['always', 4],
    ['keyed', 1],
    ['keyed', 2],
    ['keyed', 3],
  ]);
  expect(desk.told().match(/bob denied it: no large ones/g)).toHaveLength(2);
  const remembered = await factsOf(run, 'approval.remembered');
  expect(remembered).toMatchObject([
    { toolUseId: 't2.1', allowed: true, by: 'ann', at },
    { toolUseId: 't3.2', allowed: true, by: 'ann', at },
    { toolUseId: 't4.1', allowed: false, by: 'bob' },
  ]);
  expect(await desk.kit.client.approvals(agent('run')).list()).toEqual([]);
});

test('a decision for the agent holds for later runs of the same owner, until it is revoked', async () => {
  const one = () => [call('keyed', { amount: 1 }), text('ok')];
  const start = (owner?: string) => desk.start(agent('agent'), one(), owner === undefined ? {} : { owner });
  const first = await start('u1');
  const {
    approvals: [ask],
  } = await first.waiting({ atLeast: { approvals: 1 } });
  const { at } = await first.approve(ask, { by: 'ann', remember: 'agent', comment: 'fine' });
  await desk.end(first);
  const approvals = desk.kit.client.approvals(agent('agent'));
  expect(await approvals.list()).toEqual([
    { tool: 'keyed', key: 'by:small', allowed: true, by: 'ann', at, comment: 'fine', owner: 'u1' },
  ]);

  const second = await start('u1');
  await desk.end(second);
  expect(await factsOf(second, 'approval.requested')).toEqual([]);
  expect(await factsOf(second, 'approval.remembered')).toMatchObject([{ by: 'ann', at, allowed: true }]);

  for (const owner of ['u2', undefined]) {
    const other = await start(owner);
    await other.deny((await other.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'bob' });
    await desk.end(other);
  }
  expect(paid).toHaveLength(2);

  expect(await approvals.revoke({ owner: 'u1', tool: 'keyed', key: 'by:small' })).toBe(1);
  const third = await start('u1');
  await third.deny((await third.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'ann' });
  await desk.end(third);
  expect(paid).toHaveLength(2);
});

test('a decision for the agent is kept before the call runs, and a run in progress applies it too', async () => {
  const run = await desk.start(agent('owner'), [
    call('always', { amount: 1 }),
    call('always', { amount: 2 }),
    text('ok'),
  ]);
  await run.approve((await run.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'ann', remember: 'agent' });
  await desk.end(run);
  expect(paid).toHaveLength(2);
  const { events = [] } = await desk.kit.history(run);
  const activities = (events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
  const kept = activities.indexOf('holdfast.writeGrants');
  expect(activities.slice(kept - 1, kept + 2)).toEqual(['holdfast.readGrants', 'holdfast.writeGrants', 'always']);
  expect(activities.filter((name) => name === 'holdfast.writeGrants')).toHaveLength(1);
});

test('a denial for the agent is remembered as well', async () => {
  const run = await desk.start(agent('denied'), [call('keyed', { amount: 1 }), text('ok')]);
  await run.deny((await run.waiting({ atLeast: { approvals: 1 } })).approvals[0], {
    by: 'bob',
    remember: 'agent',
    reason: 'never',
  });
  await desk.end(run);
  const later = await desk.start(agent('denied'), [call('keyed', { amount: 2 }), text('ok')]);
  expect(await desk.end(later)).toBe('ok');
  expect(desk.told()).toContain('bob denied it: never');
  expect(await factsOf(later, 'tool.error')).toMatchObject([{ error: { type: 'Denied' } }]);
  expect(paid).toEqual([]);
});

test('a denial for the agent also holds if the run itself has a grant from before', async () => {
  const { open: go, opened: denied } = newGate();
  const later = async () => {
    await denied;
    return call('always', { amount: 2 });
  };
  const run = await desk.start(agent('both'), [call('always', { amount: 1 }), later]);
  await run.approve((await run.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'ann', remember: 'run' });
  await desk.kit.model.request(2);
  const other = await desk.start(agent('both'), [call('always', { amount: 3 }), text('other')]);
  await other.deny((await other.waiting({ atLeast: { approvals: 1 } })).approvals[0], { by: 'bob', remember: 'agent' });
  await desk.end(other);
  desk.kit.model.script(text('ok'));
  go();
  expect(await desk.end(run)).toBe('ok');
  expect(paid).toEqual([['always', 1]]);
  expect(await factsOf(run, 'approval.remembered')).toMatchObject([{ toolUseId: 't2.1', allowed: false, by: 'bob' }]);
});
