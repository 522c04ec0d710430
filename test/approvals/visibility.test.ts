import { agentService, defineAgent } from 'holdfast';
import { AgentClient, type RunHandle } from 'holdfast/client';
import { call, calls, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import type { ChatRequest } from '../kit/model-reply';
import { until } from '../until';
import { openDesk, paid, pay } from './desk';

const tools = { always: pay('always', 'always') };
const agent = defineAgent({ name: 'test.listed', instructions: 'listed', tools });
const child = defineAgent({
  name: 'test.child',
  instructions: 'child',
  inputSchema: z.object({ task: z.string() }),
  tools,
});
const operator = defineAgent({ name: 'test.lead', instructions: 'lead', services: { child: agentService(child) } });
const desk = openDesk({ agents: [agent, child, operator], server: 'dev' });

/** All agents ask one model, in any order. */
function answer({ request: { messages } }: { request: ChatRequest }) {
  if (messages.some(({ role }) => role === 'tool')) return text('done');
  return messages[0]?.content === 'lead' ? call('child', { task: 'a' }) : call('always', { amount: 1 });
}
const script = () => Array.from({ length: 4 }, () => answer);

/** The search attributes of a run. */
async function attributes({ id }: { id: string }) {
  const { searchAttributes } = await desk.kit.temporal.client.workflow.getHandle(id).describe();
  const entries = Object.entries(searchAttributes).filter(([name]) => name.startsWith('Holdfast'));
  return Object.fromEntries(entries.map(([name, values]) => [name, values?.[0]]));
}

async function listed(filter: Parameters<AgentClient['waiting']>[0], ids: string[]): Promise<void> {
  const found = async () => (await desk.kit.client.waiting(filter)).approvals.map(({ id }) => id);
  await until(
    async () => JSON.stringify((await found()).sort()) === JSON.stringify([...ids].sort()),
    `${JSON.stringify(filter)} to list ${ids.join(', ')}`,
    15_000,
  );
}

test('one list shows what all runs wait for, child runs too, until it is decided', async () => {
  const one = await desk.start(agent, script(), { owner: 'u1' });
  const two = await desk.start(agent, script(), { owner: 'u2' });
  const lead = await desk.start(operator, script(), { owner: 'u1' });
  const below = `${lead.id}/t1.1`;
  await listed({}, [one.id, two.id, below]);
  await listed({ agent: 'test.listed' }, [one.id, two.id]);
  await listed({ agent: 'test.child' }, [below]);
  await listed({ owner: 'u1' }, [one.id, below]);
  await listed({ agent: 'test.listed', owner: 'u1' }, [one.id]);
  await listed({ owner: 'unknown' }, []);
  const times = (await desk.kit.client.waiting()).approvals.map(({ requestedAt }) => requestedAt);
  expect(times).toEqual([...times].sort((a, b) => a - b));

  expect(await attributes(one)).toEqual({
    HoldfastAgent: 'test.listed',
    HoldfastOwner: 'u1',
    HoldfastStatus: 'waiting',
    HoldfastAwaiting: 'approval',
  });
  expect(await attributes({ id: below })).toMatchObject({ HoldfastAwaiting: 'approval', HoldfastParent: lead.id });
  expect(await attributes(lead)).not.toHaveProperty('HoldfastAwaiting');

  for (const ask of (await desk.kit.client.waiting()).approvals) {
    await desk.kit.client.get(ask.id).approve(ask, { by: 'ann' });
  }
  for (const run of [one, two, lead]) await desk.end(run);
  await desk.kit.replay({ id: below });
  await listed({}, []);
  const done = { HoldfastAgent: 'test.listed', HoldfastOwner: 'u2', HoldfastStatus: 'completed' };
  expect(await attributes(two)).toEqual(done);
  expect(await attributes({ id: below })).toMatchObject({ HoldfastStatus: 'completed', HoldfastParent: lead.id });
  expect(await attributes({ id: below })).not.toHaveProperty('HoldfastAwaiting');
  expect(paid).toHaveLength(3);
});

test('a run that is cancelled while it waits leaves the list', async () => {
  const run = await desk.start(agent, script());
  await listed({}, [run.id]);
  await run.cancel();
  await desk.fail(run);
  await listed({}, []);
  expect(await attributes(run)).toEqual({ HoldfastAgent: 'test.listed', HoldfastStatus: 'cancelled' });
});

test('an owner with any name is found, and no other owner', async () => {
  const long = 'o'.repeat(300);
  const owners = ["o'brien", 'back\\slash', "end\\' OR HoldfastAgent != '", `${long}1`, `${long}2`];
  const runs: RunHandle<string>[] = [];
  for (const owner of owners) runs.push(await desk.start(agent, script(), { owner }));
  for (const [i, owner] of owners.entries()) await listed({ owner }, [runs[i]?.id ?? '']);
  for (const run of runs) {
    await run.deny({ toolUseId: 't1.1' }, { by: 'ann' });
    await desk.end(run);
  }
});

test('without a worker a decision fails as NoWorker after the workerTimeout of the client', async () => {
  const run = await desk.start(agent, script());
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await desk.kit.stopWorker();
  const hasty = new AgentClient(desk.kit.temporal.client, { workerTimeout: 1500 }).get(run.id);
  await expect(hasty.approve(ask, { by: 'ann' })).rejects.toMatchObject({
    type: 'NoWorker',
    data: { taskQueue: desk.kit.taskQueue },
  });
  await desk.kit.startWorker();
  // The next worker may still take the decision that was sent: then it holds.
  const again = await run.approve(ask, { by: 'ann' }).catch((error: unknown) => error);
  expect(again).toMatchObject(
    again instanceof Error ? { type: 'ApprovalDecided', data: { by: 'ann' } } : { by: 'ann' },
  );
  await desk.end(run);
  expect(paid).toEqual([['always', 1]]);
});

test('thirty calls of one answer are decided in any order, by updates and signals at once', async () => {
  const thirty = Array.from({ length: 30 }, (_, i): [string, { amount: number }] => ['always', { amount: i + 1 }]);
  const run = await desk.start(agent, [calls(...thirty), text('done')]);
  const asks = (await run.waiting({ atLeast: { approvals: 30 } })).approvals;
  expect(asks.map(({ toolUseId }) => toolUseId)).toEqual(thirty.map((_, i) => `t1.${i + 1}`));
  // A fixed order that looks random: 7 and 30 have no common divisor.
  const mixed = asks.map((_, i) => asks[(i * 7 + 3) % 30] as (typeof asks)[number]);
  const signal = run.workflow.signal.bind(run.workflow);
  await Promise.all(
    mixed.map((ask, i) => {
      const { toolUseId } = ask;
      if (i % 4 === 0) return signal('approve', { toolUseId, by: 'ann' });
      if (i % 4 === 1) return run.deny(ask, { by: 'bob' });
      if (i % 4 === 2) return run.edit(ask, { by: 'cy', input: { amount: 1000 } });
      return run.approve(ask, { by: 'dee' });
    }),
  );
  expect(await desk.end(run)).toBe('done');
  const by = (n: number) => mixed.filter((_, i) => i % 4 === n).map(({ toolUseId }) => toolUseId);
  const decided = (await factsOf(run)).flatMap((fact) => (fact.type === 'approval.decided' ? [fact] : []));
  expect((await run.state()).ignored).toEqual({});
  for (const [n, name] of ['ann', 'bob', 'cy', 'dee'].entries()) {
    const ids = decided.flatMap(({ toolUseId, by }) => (by === name ? [toolUseId] : []));
    expect(ids.sort()).toEqual(by(n).sort());
  }
  expect(paid).toHaveLength(30 - by(1).length);
});
