import type { Agent } from 'holdfast';
import { createAgentTestEnvironment } from 'holdfast/testing';
import { AgentClient } from '../../../client/agent-client';
import { slowness } from '../../slowness';
import { NARROW, randomAgents, ranOnce } from './agents';
import { problemsOf } from './check';
import { type Played, play } from './play';
import { serveRandomAnswers } from './requests';

/** Milliseconds after which a run counts as stuck. */
const STUCK = 120_000;
/** Milliseconds that a reader waits for the worker, which all runs share. */
const READING = 180_000;

/** How runs ended and what happened in them, by kind and number. */
export interface Tally {
  runs: number;
  requests: number;
  ends: { [end: string]: number };
  facts: { [type: string]: number };
}

/** Plays runs of random agents against a model that answers at random, some at a time. */
export async function playRandomAnswers(
  seed: number,
  runs: number,
  atOnce: number,
): Promise<{ problems: string[]; tally: Tally }> {
  const problems: string[] = [];
  const agents = randomAgents(seed);
  const model = await serveRandomAnswers(seed, problems);
  const scripted = { baseUrl: model.url, model: 'm' };
  const models = { default: scripted, spare: scripted, narrow: { ...scripted, contextWindow: NARROW } };
  const kit = await createAgentTestEnvironment({ agents, models, server: 'dev', debugMode: false });
  try {
    const client = new AgentClient(kit.client.temporal, { taskQueue: kit.taskQueue, workerTimeout: READING });
    const tally: Tally = { runs: 0, requests: 0, ends: {}, facts: {} };
    const numbers = Array.from({ length: runs }, (_, i) => i).values();
    const playOne = async (i: number) => {
      const agent = agents[i % agents.length] as Agent;
      const id = `case-${i + 1}`;
      try {
        const signal = AbortSignal.timeout(Math.round(STUCK * slowness()));
        const played = await play(client, agent, id, seed + i, signal);
        count(tally, played);
        for (const problem of await problemsOf(kit, played)) problems.push(`${id} of ${agent.name}: ${problem}`);
      } catch (error) {
        problems.push(`${id} of ${agent.name}: ${String(error)}`);
      }
    };
    const lane = async () => {
      for (const i of numbers) await playOne(i);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    for (const [key, times] of ranOnce) if (times > 1) problems.push(`the call ${key} ran ${times} times`);
    tally.requests = model.requests.length;
    return { problems, tally };
  } finally {
    await kit.close();
    await model.close();
  }
}

function count(tally: Tally, { facts, end }: Played): void {
  tally.runs++;
  tally.ends[end] = (tally.ends[end] ?? 0) + 1;
  for (const { type } of facts) tally.facts[type] = (tally.facts[type] ?? 0) + 1;
}
