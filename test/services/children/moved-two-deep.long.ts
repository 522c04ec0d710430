import { setTimeout as delay } from 'node:timers/promises';
import { agentService, defineAgent, defineTool } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { newest } from '../../chains/move';
import { factsOf } from '../../facts';
import { until } from '../../until';
import { endOf, expectWhole } from '../stage';

const done: string[] = [];
const input = z.object({ what: z.string() });
const put = defineTool({
  description: 'puts',
  inputSchema: input,
  execute: ({ what }, { id }) => void done.push(`put ${what} ${id}`),
  undo: ({ what }, _, { id }) => void done.push(`take ${what} ${id}`),
});
const pay = defineTool({
  description: 'pays',
  inputSchema: input,
  approval: 'always',
  execute: ({ what }, { id }) => {
    done.push(`pay ${what} ${id}`);
    return `paid ${what}`;
  },
});
const bottom = defineAgent({ name: 'deep.bottom', tools: { put, pay } });
const middle = defineAgent({ name: 'deep.middle', tools: { put }, services: { bottom: agentService(bottom) } });
const top = defineAgent({
  name: 'deep.top',
  mode: 'conversation',
  tools: { put },
  services: { middle: agentService(middle) },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [top, middle, bottom], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  done.length = 0;
});

/** A run, the agent that works for it, and the one that works for that. */
type Runs = Record<'top' | 'middle' | 'bottom', RunHandle<unknown>>;

/** Three runs, of which the lowest waits for a person, and each has put something. */
async function begin(id: string): Promise<Runs> {
  kit.model.script(
    calls(['put', { what: 'top' }], ['middle', { message: 'go' }]),
    calls(['put', { what: 'middle' }], ['bottom', { message: 'go' }]),
    calls(['put', { what: 'bottom' }], ['pay', { what: 'much' }]),
  );
  const run = kit.conversation(top, { id }) as RunHandle<unknown>;
  await kit.conversation(top, { id }).send('go');
  const ids = new Map<string, string>();
  await until(async () => {
    const { approvals, services } = await run.waiting();
    for (const { agent, id: of } of [...services, ...approvals]) ids.set(agent, of);
    return ids.has('deep.bottom') && done.length === 3;
  }, 'the approval of the lowest agent');
  const of = (agent: string) => kit.client.get(ids.get(agent) ?? '') as RunHandle<unknown>;
  return { top: run, middle: of('deep.middle'), bottom: of('deep.bottom') };
}

const moveAll = (runs: Runs) => Promise.all(Object.values(runs).map((run) => run.continueAsNew()));

/** What has happened in a run, but for its moves and the ids of the model: its messages and the types of its facts. */
async function told(run: RunHandle<unknown>): Promise<{ said: string[]; facts: string[] }> {
  const said = (await run.transcript()).map(({ role, parts }) => `${role}: ${JSON.stringify(parts)}`);
  const facts = (await factsOf(run)).map(({ type }) => type).filter((type) => type !== 'run.continued');
  return { said: said.map((one) => one.replaceAll(/"call_\d+_/g, '"call_')), facts: facts.sort() };
}

/** Two messages wait, a person changes the arguments, the answers go up, and the person undoes the one effect of the top. */
async function play(id: string, disturb?: number): Promise<{ told: unknown[]; moves: number; effects: string[] }> {
  const runs = await begin(id);
  kit.model.script(...['paid', 'helped', 'all done', 'one', 'two'].map((one) => text(one)));
  const talk = kit.conversation(top, { id });
  const before = await Promise.all(Object.values(runs).map(newest));
  if (disturb !== undefined) await moveAll(runs);
  await Promise.all([talk.send('first'), delay(disturb ?? 0)]);
  await talk.send('second');
  await until(async () => {
    const [ask] = (await runs.top.waiting()).approvals;
    if (ask === undefined) return false;
    await runs.bottom.edit(ask, { input: { what: 'little' }, by: 'ann' });
    return true;
  }, 'the decision');
  if (disturb !== undefined) await runs.top.continueAsNew();
  await until(async () => {
    const state = await runs.top.state();
    return state.exchange === 3 && state.idle;
  }, 'all answers');
  if (disturb !== undefined) await runs.top.continueAsNew();
  await delay(disturb ?? 0);
  expect(await runs.top.undo({ toolUseId: 't1.1' }, { by: 'ann' })).toMatchObject({ undone: [{ toolUseId: 't1.1' }] });
  await talk.close();
  await endOf(runs.top);
  const all = Object.values(runs);
  for (const run of all) await expectWhole(kit, run);
  const moves = (await Promise.all(all.map(newest))).filter((now, i) => now !== before[i]).length;
  const effects = done.splice(0).map((one) => one.split(' ').slice(0, 2).join(' '));
  return { told: await Promise.all(all.map(told)), moves, effects };
}

test('agents two deep end as undisturbed ones do, whenever they move', async () => {
  const calm = await play('calm');
  expect(calm.moves).toBe(0);
  expect(calm.effects).toEqual(['put top', 'put middle', 'put bottom', 'pay little', 'take top']);
  let moves = 0;
  for (const disturb of [0, 950, 1010, 1500]) {
    const moved = await play(`moved-${disturb}`, disturb);
    expect(moved).toMatchObject({ told: calm.told, effects: calm.effects });
    moves += moved.moves;
  }
  // A run looks a second after it was asked: those that have ended before do not move.
  expect(moves).toBeGreaterThanOrEqual(3);
});

test('a cancel around a move ends all three, and each call has its result', async () => {
  const ends = [0, 950, 1010, 1100].map((ms) => async () => {
    const runs = await begin(`cancel-${ms}`);
    await moveAll(runs);
    await delay(ms);
    await runs.top.cancel();
    for (const run of Object.values(runs)) {
      expect(await endOf(run)).toBe('Cancelled');
      const facts = await factsOf(run);
      expect(facts.filter(({ type }) => type === 'tool.call')).toHaveLength(2);
      expect(facts.filter(({ type }) => type === 'tool.result' || type === 'tool.error')).toHaveLength(2);
      await expectWhole(kit, run);
    }
    kit.model.reset();
    done.length = 0;
  });
  for (const end of ends) await end();
});
