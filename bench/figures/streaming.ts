import { AgentClient } from '../../client/agent-client';
import { createLocalBus } from '../../runtime/bus/bus';
import { localStream } from '../../runtime/bus/socket-bus-reader';
import { loadConfig } from '../../runtime/config/config';
import { SILENT_LOG } from '../../runtime/log';
import { createWorker } from '../../workers/create-worker';
import { talking } from '../agents';
import { clock } from '../clock';
import { type Figure, type Settings, scaled } from '../figure';
import { percentile, range, short } from '../pairs';
import { sizeOf } from '../side';
import { Stage } from '../stage';
import { MODEL, timesIn } from '../work';

const RUNS = 50;
const CHUNKS = 200;
/** Milliseconds between two chunks: fifty a second, as fast models write. */
const EVERY = 20;
/** The task queue of the worker in this process. */
const QUEUE = 'bench-stream';

/** Readers are in the process of the worker. The note has those of another process, which read through a socket. */
export const streamDelay: Figure = {
  name: 'stream_delay',
  what: `p95 ms from the provider's chunk to a reader in the worker's process, ${RUNS} runs that stream ${1000 / EVERY} chunks a second each`,
  unit: 'ms',
  bar: { on: 'value', max: 5 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      const other = await delays(readersElsewhere(stage), settings);
      settings.tell(`readers in another process: p95 ${short(percentile(other, 0.95))}`);
      const own = await withWorkerHere(stage, (agents) => delays(agents, settings));
      const value = percentile(own, 0.95);
      const note = `${own.length} chunks, median ${short(percentile(own, 0.5))}, ${range(own)}; readers in another process p95 ${short(percentile(other, 0.95))} (${range(other)})`;
      return { value, note };
    } finally {
      await stage.close();
    }
  },
};

/** Events do not depend on the machine, so there is one measurement. */
export const streamEvents: Figure = {
  name: 'stream_events',
  what: `history events that an answer in ${CHUNKS} chunks has more than one in a single chunk`,
  unit: 'events',
  bar: { on: 'value', max: 0 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      const events = async (chunks: number) => {
        const run = await stage.agents.start('bench.loop', { input: { turns: 0, chunks, every: 1 } });
        await run.result();
        return (await sizeOf(run.workflow)).events;
      };
      const [many, one] = [await events(CHUNKS), await events(1)];
      return { value: many - one, note: `${many} and ${one} events` };
    } finally {
      await stage.close();
    }
  },
};

function readersElsewhere({ client, server: { address } }: Stage): AgentClient {
  return new AgentClient(client, { bus: localStream({ address, namespace: 'default' }, { log: SILENT_LOG }) });
}

async function withWorkerHere<T>(stage: Stage, use: (agents: AgentClient) => Promise<T>): Promise<T> {
  const defaults = await loadConfig({ cwd: '/', env: {} });
  const { address } = stage.server;
  const bus = createLocalBus({ log: SILENT_LOG });
  const worker = await createWorker({
    agents: [talking],
    config: { ...defaults, temporal: { ...defaults.temporal, address } },
    taskQueue: QUEUE,
    models: { default: { baseUrl: stage.model.ready.url, model: MODEL } },
    bus,
    logger: SILENT_LOG,
  });
  const ended = worker.run();
  try {
    return await use(new AgentClient(stage.client, { taskQueue: QUEUE, bus }));
  } finally {
    worker.shutdown();
    await ended;
  }
}

/** Milliseconds of each chunk of all runs on its way. */
async function delays(agents: AgentClient, settings: Settings): Promise<number[]> {
  const chunks = scaled(settings, CHUNKS);
  // The first run compiles the code.
  await delaysOfRun(agents, chunks);
  return (await Promise.all(Array.from({ length: RUNS }, () => delaysOfRun(agents, chunks)))).flat();
}

async function delaysOfRun(agents: AgentClient, chunks: number): Promise<number[]> {
  const run = await agents.start('bench.talking', { input: { turns: 0, chunks, every: EVERY } });
  const found: number[] = [];
  for await (const event of run.events()) {
    if (event.type === 'exchange.end') break;
    if (event.type === 'stream.text') found.push(...timesIn(event.text).map((sent) => clock() - sent));
  }
  await run.cancel();
  if (found.length === 0) throw new Error('No chunk reached its reader');
  return found;
}
