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

export const RUNS = 50;
const CHUNKS = 500;
/** Of the answer whose events are counted. */
const PIECES = 200;
/** Milliseconds between two chunks: fifty a second, as fast models write. */
const EVERY = 20;
/** Chunks a second. */
export const RATE = 1000 / EVERY;
/** The task queue of the worker in this process. */
const QUEUE = 'bench-stream';

/**
 * Readers are in the process of the worker. The note has those of another process, which read through a socket. What
 * counts are the chunks that were sent while all runs streamed: to start the runs takes both cores for seconds.
 */
export const streamDelay: Figure = {
  name: 'stream_delay',
  what: `p95 ms from the provider's chunk to a reader in the worker's process, ${RUNS} runs that stream ${RATE} chunks a second each`,
  unit: 'ms',
  bar: { on: 'value', max: 5 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      const other = await delays(readersElsewhere(stage), settings);
      settings.tell(`readers in another process: p95 ${short(percentile(other.streaming, 0.95))}`);
      const own = await withWorkerHere(stage, (agents) => delays(agents, settings));
      const value = percentile(own.streaming, 0.95);
      const of = ({ streaming, all }: Delays) =>
        `${streaming.length} chunks, median ${short(percentile(streaming, 0.5))}, ${range(streaming)}, p95 with the start of the runs ${short(percentile(all, 0.95))}`;
      const elsewhere = `readers in another process p95 ${short(percentile(other.streaming, 0.95))}, ${of(other)}`;
      return { value, note: `${of(own)}; ${elsewhere}` };
    } finally {
      await stage.close();
    }
  },
};

/** Events do not depend on the machine, so there is one measurement. */
export const streamEvents: Figure = {
  name: 'stream_events',
  what: `history events that an answer in ${PIECES} chunks has more than one in a single chunk`,
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
      const [many, one] = [await events(PIECES), await events(1)];
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

/** Milliseconds of each chunk on its way: of those that were sent while all runs streamed, and of all. */
interface Delays {
  streaming: number[];
  all: number[];
}

interface Chunk {
  sent: number;
  delay: number;
}

export async function delays(agents: AgentClient, settings: Settings): Promise<Delays> {
  const chunks = scaled(settings, CHUNKS);
  // The first run compiles the code.
  await chunksOfRun(agents, chunks);
  const runs = await Promise.all(Array.from({ length: RUNS }, () => chunksOfRun(agents, chunks)));
  const from = Math.max(...runs.map((run) => run[0]?.sent ?? Infinity));
  const to = Math.min(...runs.map((run) => run.at(-1)?.sent ?? 0));
  const all = runs.flat();
  const streaming = all.filter(({ sent }) => from <= sent && sent <= to);
  if (streaming.length === 0) throw new Error('The runs did not stream at the same time');
  return { streaming: streaming.map(({ delay }) => delay), all: all.map(({ delay }) => delay) };
}

async function chunksOfRun(agents: AgentClient, chunks: number): Promise<Chunk[]> {
  const run = await agents.start('bench.talking', { input: { turns: 0, chunks, every: EVERY } });
  const found: Chunk[] = [];
  for await (const event of run.events()) {
    if (event.type === 'exchange.end') break;
    if (event.type === 'stream.text')
      found.push(...timesIn(event.text).map((sent) => ({ sent, delay: clock() - sent })));
  }
  await run.cancel();
  if (found.length === 0) throw new Error('No chunk reached its reader');
  return found;
}
