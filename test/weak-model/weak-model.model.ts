import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import type { Fact } from '../../agent/protocol/facts/fact';
import { AgentClient } from '../../client/agent-client';
import { problemsOf } from '../properties/random-answers/check';
import { play } from '../properties/random-answers/play';
import { slowness } from '../slowness';
import { MODEL_CALLS, PREFILLS, ranOnce, weakAgents } from './agents';
import { startWeakModel, type WeakModel } from './model-server';

const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);
/** Milliseconds that a run may take: twelve answers of 64 tokens after prompts of up to 4,000. */
const MAX_TIME = 240_000;
const agents = weakAgents();

const kindOf = (fact: Fact) => (fact.type === 'tool.error' ? `${fact.type}:${fact.error.type}` : fact.type);

let model: WeakModel;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  console.info(`HOLDFAST_SEED=${seed}`);
  model = await startWeakModel(seed);
  const weak = { baseUrl: model.url, model: 'smollm2-135m', contextWindow: 4096 };
  const models = Object.fromEntries(
    Object.entries(PREFILLS).map(([alias, prefill]) => [alias, { ...weak, extraBody: { prefill: [...prefill] } }]),
  );
  kit = await createAgentTestEnvironment({ agents, models, server: 'dev', debugMode: false });
});
afterAll(async () => {
  await kit?.close();
  await model?.close();
});

it.each(agents.map((agent) => [agent.name, agent] as const))(
  '%s ends with a reason within its limits, whatever the weak model writes',
  async (name, agent) => {
    const client = new AgentClient(kit.client.temporal, { taskQueue: kit.taskQueue });
    const signal = AbortSignal.timeout(Math.round(MAX_TIME * slowness()));
    const played = await play(client, agent, name, seed, signal);
    expect(await problemsOf(kit, played)).toEqual([]);
    const { calls, toolInteractions, end } = await client.get(name).state();
    const kinds = [...new Set(played.facts.map(kindOf))].join(' ');
    console.info(`${name}: ${played.end}, ${calls.model} model calls, ${calls.tool} tool calls; ${kinds}`);
    expect(end).toBeDefined();
    expect(calls.model).toBeLessThanOrEqual(MODEL_CALLS);
    expect(toolInteractions.current).toBeLessThanOrEqual(toolInteractions.max);
    expect([...ranOnce.values()].filter((times) => times > 1)).toEqual([]);
  },
  2 * MAX_TIME,
);
