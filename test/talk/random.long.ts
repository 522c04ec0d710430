import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import type { Fact } from '../../agent/fact';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal-log';
import { workflowBundle } from '../../workers/bundle';
import { startDevServer } from '../../workers/dev-server';
import { readLines } from '../durability/tool-log';
import { WorkerChild } from '../durability/worker-child';
import { serveModel } from '../kit/model-server';
import { randomProblems } from './check-random';
import { factsOf } from './decider';
import { randomFrom } from './random';
import { talker } from './random-agents';
import { randomReply } from './random-model';
import { RandomPerson } from './random-person';

const CONVERSATIONS = 10;
/** Beside the answers and decisions that the agents ask for. */
const DEEDS = 30;
/** Milliseconds between two deaths, at least. */
const PEACE = 700;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

let dir: string;
beforeAll(() => {
  installTemporalRuntime({ log: SILENT_LOG });
  dir = mkdtempSync(join(tmpdir(), 'holdfast-random-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Kills one worker after the other, each when the next one is ready, and now and then all there are. */
async function killWorkers(start: () => Promise<WorkerChild>, workers: WorkerChild[], signal: AbortSignal) {
  const random = randomFrom(seed);
  let kills = 0;
  while (!signal.aborted) {
    const next = await start();
    const victims = workers.splice(0, random.below(5) === 0 ? workers.length : 1);
    workers.push(next);
    await Promise.all(victims.map((victim) => victim.kill()));
    kills += victims.length;
    await delay(PEACE + random.below(PEACE));
  }
  return kills;
}

/** Facts keep their numbers, whichever worker is asked for them. */
function retold(heard: readonly Fact[], facts: readonly Fact[]): string[] {
  const at = facts.findIndex((fact, i) => JSON.stringify(fact) !== JSON.stringify(heard[i]));
  if (at < 0) return [];
  const shown = (all: readonly Fact[]) => all.slice(Math.max(0, at - 3), at + 3).map((fact) => JSON.stringify(fact));
  return [`fact ${at + 1} was told otherwise before:\n${shown(heard).join('\n')}\nnow\n${shown(facts).join('\n')}`];
}

it('does all that persons say exactly once, or refuses it, while its workers die', async () => {
  console.info(`SEED=${seed}`);
  const [server, model] = await Promise.all([
    startDevServer({ ui: false }),
    serveModel((request) => randomReply(request, seed)),
  ]);
  const path = join(dir, 'temporal.yaml');
  const models = { default: { baseUrl: model.url, model: 'random' } };
  const agents = join(__dirname, 'random-agents.ts');
  writeFileSync(path, JSON.stringify({ temporal: { address: server.address }, agents, models }));
  const env = { HOLDFAST_DURABILITY_DIR: dir, TEMPORAL_ADDRESS: server.address };
  const start = () => WorkerChild.start(path, env);
  const workers = await Promise.all([start(), start()]);
  const client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
  const over = new AbortController();
  const kills = killWorkers(start, workers, over.signal);
  try {
    const persons = await Promise.all(
      Array.from({ length: CONVERSATIONS }, async (_, i) => {
        const run = await client.start(talker, { id: `talk-${i}`, input: null });
        return new RandomPerson(run, seed + i);
      }),
    );
    const served = Promise.all(persons.map((person) => person.serve()));
    await Promise.all(persons.map((person) => person.talk(DEEDS)));
    over.abort();
    await Promise.all(persons.map(({ run }) => run.close()));
    await served;
    const problems: string[] = [];
    for (const { run, deeds, heard } of persons) {
      await run.result();
      const ended = { facts: await factsOf(run), messages: await run.transcript(), deeds };
      const lines = readLines(dir).filter((line) => line.run === run.id);
      const own = randomProblems({ ...ended, lines });
      own.push(...retold(heard, ended.facts));
      await Worker.runReplayHistory(
        { workflowBundle: await workflowBundle() },
        await run.workflow.fetchHistory(),
      ).catch((error) => own.push(`it does not replay: ${error}`));
      problems.push(...own.map((problem) => `${run.id}: ${problem}`));
    }
    const all = persons.flatMap(({ deeds }) => deeds);
    const taken = all.filter((deed) => deed.taken !== undefined).length;
    console.info(`SEED=${seed}: ${all.length} deeds, ${taken} taken, ${await kills} workers killed`);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
  } finally {
    over.abort();
    await kills;
    await Promise.all(workers.map((worker) => worker.kill()));
    await client.close();
    await Promise.all([model.close(), server.stop()]);
  }
});
