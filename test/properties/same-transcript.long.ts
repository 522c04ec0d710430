import fc from 'fast-check';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { LRUCache } from 'lru-cache';
import type { Message } from '../../agent';
import { loadConfig } from '../../runtime/config/config';
import { createWorker, type HoldfastWorker } from '../../workers/create-worker';
import { RunScripts } from '../durability/stage/run-scripts';
import type { ChatRequest } from '../kit/model-reply';
import { agent, type RandomTurn, randomScript, repliesOf } from './random-scripts';

const RUNS = 8;
const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);

let model: RunScripts;
let kit: AgentTestEnvironment;
const workers = new Map<HoldfastWorker, Promise<void>>();

beforeAll(async () => {
  console.info(`HOLDFAST_SEED=${seed}`);
  model = await RunScripts.start();
  // A real server: the time-skipping one jumps to a run's end while no worker polls for it.
  const models = { default: { baseUrl: model.url, model: 'm' } };
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev', models });
  await Promise.all([startWorker('two'), startWorker('two')]);
});
afterAll(async () => {
  await Promise.all([...workers.keys()].map(stopWorker));
  await kit.close();
  await model.close();
});

/** A worker that starts with empty caches. The SDK requires a separate connection for each worker of a queue. */
async function startWorker(taskQueue: string): Promise<HoldfastWorker> {
  const config = await loadConfig({ cwd: '/', env: { TEMPORAL_ADDRESS: kit.temporal.address } });
  const worker = await createWorker({
    agents: [agent],
    config: { ...config, worker: { ...config.worker, shutdownGrace: 10_000 } },
    taskQueue,
    models: { default: { baseUrl: model.url, model: 'm' } },
    bus: kit.bus,
  });
  workers.set(worker, worker.run());
  return worker;
}

async function stopWorker(worker: HoldfastWorker): Promise<void> {
  const ended = workers.get(worker);
  if (!workers.delete(worker)) return;
  worker.shutdown();
  await ended;
}

interface Outcome {
  data: unknown;
  transcript: Message[];
  requests: ChatRequest[];
}

/** The result, the transcript and the requests of a run, without its name. */
async function outcomeOf(name: string, taskQueue: string): Promise<Outcome> {
  const run = await kit.start(agent, { id: name, input: { run: name }, taskQueue });
  const { data } = await run.result();
  const transcript = await run.transcript();
  const requests = model.requests(name).map(({ recorded }) => recorded.body);
  return JSON.parse(JSON.stringify({ data, transcript, requests }).replaceAll(name, 'RUN')) as Outcome;
}

async function undisturbed(name: string, script: readonly RandomTurn[]): Promise<Outcome> {
  model.script(name, ...repliesOf(script));
  return outcomeOf(name, kit.taskQueue);
}

async function onTwoWorkers(name: string, script: readonly RandomTurn[]): Promise<Outcome> {
  model.script(name, ...repliesOf(script));
  return outcomeOf(name, 'two');
}

/** Each model call ends on the worker that made it, which then takes no more tasks. Another worker continues. */
async function restarted(name: string, script: readonly RandomTurn[]): Promise<Outcome> {
  let worker = await startWorker(name);
  const stops: Promise<void>[] = [];
  const turns = repliesOf(script).map((reply) => async () => {
    stops.push(stopWorker(worker));
    worker = await startWorker(name);
    return reply;
  });
  model.script(name, ...turns);
  const outcome = await outcomeOf(name, name);
  await Promise.all([...stops, stopWorker(worker)]);
  return outcome;
}

/** No worker finds anything in its caches. */
async function withColdCaches(name: string, script: readonly RandomTurn[]): Promise<Outcome> {
  const get = jest.spyOn(LRUCache.prototype, 'get').mockReturnValue(undefined);
  try {
    const outcome = await undisturbed(name, script);
    expect(get).toHaveBeenCalled();
    return outcome;
  } finally {
    get.mockRestore();
  }
}

it('gives the same transcript and sends the same requests, whatever happens to the workers', async () => {
  let scripts = 0;
  const property = fc.asyncProperty(randomScript, async (script) => {
    const name = (what: string) => `${what}-${String(scripts).padStart(4, '0')}`;
    scripts += 1;
    const [plain, two, restart] = await Promise.all([
      undisturbed(name('plain'), script),
      onTwoWorkers(name('twice'), script),
      restarted(name('again'), script),
    ]);
    const cold = await withColdCaches(name('colds'), script);
    expect(plain.data).toBe('done');
    expect(plain.requests).toHaveLength(script.length + 1);
    expect({ kind: 'two workers', ...two }).toEqual({ kind: 'two workers', ...plain });
    expect({ kind: 'restarted', ...restart }).toEqual({ kind: 'restarted', ...plain });
    expect({ kind: 'cold caches', ...cold }).toEqual({ kind: 'cold caches', ...plain });
  });
  await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true });
});
