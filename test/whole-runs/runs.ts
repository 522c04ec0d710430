import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../agent';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { startDevServer } from '../../workers/dev/dev-server';
import { receiver } from '../activities/services/receiver';
import { randomFrom } from '../determinism/random/random';
import { RandomWorkers } from '../determinism/random/workers';
import { Replays } from '../determinism/replays';
import { readLines } from '../durability/stage/tool-log';
import { serveRandomAnswers } from '../properties/random-answers/requests';
import { NARROW, wholeAgents } from './agents';
import { effectProblems, onceProblems, playProblems } from './check';
import { wholeAnswer } from './model';
import { type Played, play } from './play';

/** The key of the models. No history has it. */
const SECRET = 'sk-whole-secret-41c7';
/** Events of a history after which the server suggests a new one: a few turns. */
const FEW = ['limit.historyCount.suggestContinueAsNew=60'];
/** Milliseconds that a reader waits for a worker, which may have just been killed. */
const READING = 180_000;

/** What happened, by kind, and what is wrong with it. */
export interface Report {
  problems: string[];
  tally: { [what: string]: number };
  /** The folder with the histories of the runs with problems; empty if there are none. */
  kept: string;
}

/** A server, a model that answers at random, a post office, and the configuration of workers. */
async function openStage(seed: number, wrong: string[]) {
  installTemporalRuntime({ log: SILENT_LOG });
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-whole-'));
  const [server, model, post] = await Promise.all([
    startDevServer({ ui: false, settings: FEW }),
    serveRandomAnswers(seed, wrong, wholeAnswer),
    receiver(),
  ]);
  const base = { baseUrl: model.url, apiKey: SECRET, prices: { prompt: 1, completion: 2 } };
  const storage = { folder: join(dir, 'storage'), threshold: 16_384, archive: true };
  const config = {
    temporal: { address: server.address },
    agents: join(__dirname, 'agents.ts'),
    models: {
      default: { ...base, model: 'random', patience: '3s' },
      spare: { ...base, model: 'spare', patience: '8s', limits: { concurrent: 4 } },
      other: { ...base, model: 'other', patience: '5s' },
      narrow: { ...base, model: 'narrow', patience: '5s', contextWindow: NARROW },
    },
    outlets: { post: { url: post.url } },
    storage,
  };
  const defaults = await loadConfig({ cwd: '/', env: {} });
  const temporal = { ...defaults.temporal, address: server.address };
  const client = await AgentClient.connect({ config: { ...defaults, storage, temporal } });
  return {
    dir,
    config,
    storage,
    model,
    client: new AgentClient(client.temporal, { taskQueue: 'holdfast', workerTimeout: READING }),
    close: async () => {
      await client.close();
      await Promise.all([model.close(), post.close(), server.stop()]);
      rmSync(dir, { recursive: true });
    },
  };
}

/**
 * Plays runs of agents with all features at once, while their workers die, two builds of the agents take turns, people do
 * anything, and runs go on in new histories. Replays every history.
 */
export async function playWhole(seed: number, runs: number, atOnce: number, deeds: number): Promise<Report> {
  const wrong: string[] = [];
  const stage = await openStage(seed, wrong);
  try {
    const workers = await RandomWorkers.open(stage.dir, stage.config, randomFrom(seed), (started) => ({
      HOLDFAST_BUILD: String(started % 2),
      HOLDFAST_SEED: String(seed),
    }));
    const { tops } = wholeAgents(seed);
    const all: Played[] = [];
    const numbers = Array.from({ length: runs }, (_, i) => i).values();
    const lane = async () => {
      for (const i of numbers) {
        // One worker is killed for every ten runs at least. The runs that begin together do not wait for it.
        if (i >= atOnce) await workers.killed(Math.floor((i + 1 - atOnce) / 10));
        const agent = tops[i % tops.length] as Agent;
        all.push(await play(stage.client, agent, `run-${i}`, seed + i, deeds));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane)).finally(() => workers.close());
    const problems = new Map<string, string[]>();
    const note = (id: string, found: readonly string[]) => {
      if (found.length > 0) problems.set(id, [...(problems.get(id) ?? []), ...found]);
    };
    const lines = readLines(stage.dir);
    for (const played of all) note(played.id, [...playProblems(played), ...effectProblems(played, lines)]);
    note('effects', onceProblems(lines));
    note('requests', wrong);
    const replays = new Replays(stage.client, { storage: stage.storage });
    for (const [id, found] of await replays.all()) note(id, found);
    if (replays.text.includes(SECRET)) note('secret', ['it is in a history']);
    return {
      problems: [...problems].flatMap(([id, found]) => found.map((problem) => `${id}: ${problem}`)),
      tally: { kills: workers.kills, requests: stage.model.requests.length, ...tallyOf(all) },
      kept: replays.keep(problems.keys()),
    };
  } finally {
    await stage.close();
  }
}

function tallyOf(all: readonly Played[]): Report['tally'] {
  const tally: Report['tally'] = { runs: all.length };
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  for (const { facts, end, deeds } of all) {
    count(`end ${end}`);
    for (const { type } of facts) count(type);
    for (const { what, refused } of deeds) count(`${what} ${refused ?? 'ok'}`);
  }
  return tally;
}
