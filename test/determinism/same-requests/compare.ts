import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentClient } from '../../../client/agent-client';
import { createAgentTestEnvironment } from '../../kit';
import { AGENTS, NARROW } from './agents';
import { ignoreTime } from './ignore-time';
import { type Played, play } from './play';
import { RecordingModel } from './recording-model';

/** Conversations whose requests are kept. */
const CONVERSATIONS = 200;

const KEPT = join(__dirname, 'hashes.json');
const { HOLDFAST_AT_ONCE: atOnce = '8', HOLDFAST_RENEW: renew, HOLDFAST_REQUESTS: folder } = process.env;

/** Milliseconds that a reader waits for the worker, which all conversations share on a busy machine. */
const READING = 180_000;

/** Plays the conversations, and compares their requests with those that were kept. */
export async function compareRequests(): Promise<void> {
  ignoreTime();
  const played = await playAll();
  expect(played.filter(({ failingInARow }) => failingInARow >= 5)).toEqual([]);
  expect(played.filter(({ end }) => end === 'open')).toEqual([]);
  if (folder !== undefined) write(folder, played);
  const now = played.map(
    ({ agent, requests }, i) => `${i + 1} ${agent}: ${requests.length} requests, ${hashOf(requests)}`,
  );
  if (renew === 'requests') writeFileSync(KEPT, `${JSON.stringify(now, undefined, 2)}\n`);
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as string[];
  expect(kept).toHaveLength(CONVERSATIONS);
  expect(now).toEqual(kept);
}

async function playAll(): Promise<Played[]> {
  const model = await RecordingModel.start();
  const scripted = { baseUrl: model.url, model: 'm' };
  const models = { default: scripted, first: scripted, narrow: { ...scripted, contextWindow: NARROW } };
  const kit = await createAgentTestEnvironment({ agents: Object.values(AGENTS), models, server: 'dev' });
  try {
    const { temporal } = kit.client;
    const patient = new AgentClient(temporal, { taskQueue: kit.taskQueue, workerTimeout: READING });
    const played: Played[] = [];
    const seeds = Array.from({ length: CONVERSATIONS }, (_, i) => i + 1).values();
    const lane = async () => {
      for (const seed of seeds) played[seed - 1] = await play(patient, model, seed);
    };
    await Promise.all(Array.from({ length: Number(atOnce) }, lane));
    return played;
  } finally {
    await kit.close();
    await model.close();
  }
}

function hashOf(requests: readonly string[]): string {
  const hash = createHash('sha256');
  for (const body of requests) hash.update(`${body}\n`);
  return hash.digest('hex');
}

/** One file for each conversation, to compare those of two versions. */
function write(to: string, played: readonly Played[]): void {
  mkdirSync(to, { recursive: true });
  for (const [i, { agent, requests }] of played.entries()) {
    const bodies = requests.map((body) => JSON.stringify(JSON.parse(body), undefined, 2));
    writeFileSync(join(to, `${i + 1}-${agent}.txt`), `${bodies.join('\n')}\n`);
  }
}
