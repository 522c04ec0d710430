import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { AgentClient } from '../client/agent-client';
import type { BusConfig } from '../runtime/config/bus';
import { connect } from '../runtime/temporal/connection';
import { startDevServer } from '../workers/dev/dev-server';
import type { BareBundle } from './bare/bundle';
import { Child } from './child';
import { bareSide, oursSide, type Side } from './side';
import { models } from './work';

export interface StageOptions {
  bundle: BareBundle;
  /** A server to use instead of starting one. The stage does not end it. */
  address?: string;
  /** The bus of our worker. */
  bus?: BusConfig;
  /** Node's options for both workers, such as `--cpu-prof`. */
  execArgv?: (side: 'ours' | 'bare') => readonly string[];
}

/**
 * The setup of a measurement: a Temporal dev server, a model server, a worker of ours and a bare one, each in a
 * separate process. Both workers run during the whole figure. The one that is not measured only polls.
 */
export class Stage {
  private constructor(
    readonly server: { address: string; pid?: number },
    readonly model: Child<{ url: string }>,
    readonly workers: { ours: Child<object>; bare: Child<object> },
    readonly client: Client,
    readonly agents: AgentClient,
    readonly ours: Side,
    readonly inline: Side,
    readonly bare: Side,
    readonly durable: Side,
    readonly close: () => Promise<void>,
  ) {}

  static async open({ bundle, address: given, bus, execArgv = () => [] }: StageOptions): Promise<Stage> {
    const ends: (() => Promise<void>)[] = [];
    const close = async () => {
      for (const end of ends.splice(0).reverse()) await end();
    };
    const child = async <Ready extends object>(...args: Parameters<typeof Child.start>): Promise<Child<Ready>> => {
      const started = await Child.start<Ready>(...args);
      ends.push(() => started.stop());
      return started;
    };
    try {
      const server = given === undefined ? await startDevServer({ ui: false }) : { address: given };
      if ('stop' in server) ends.push(() => server.stop());
      const { address } = server;
      const model = await child<{ url: string }>(require.resolve('./model-process'));
      const { url } = model.ready;
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
      ends.push(() => rm(folder, { recursive: true }));
      const config = await writeConfig(folder, { temporal: { address }, models: models(url), ...(bus && { bus }) });
      const ours = await child(require.resolve('../workers/worker-process'), {
        args: ['--config', config],
        // The environment wins over the file, so it must not name another server.
        env: { TEMPORAL_ADDRESS: address },
        execArgv: execArgv('ours'),
      });
      const bare = await child(require.resolve('./bare/worker-process'), {
        args: [address, url, bundle.codePath],
        execArgv: execArgv('bare'),
      });
      const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: '' } });
      ends.push(() => connection.close());
      const client = new Client({ connection });
      const agents = new AgentClient(client);
      const sides = [oursSide(agents, 'bench.loop'), oursSide(agents, 'bench.inline')] as const;
      const bareSides = [bareSide(client), bareSide(client, 'bareDurableLoop')] as const;
      return new Stage(server, model, { ours, bare }, client, agents, ...sides, ...bareSides, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Lets both sides compile their code: the first turns of a process do not count. */
  async warmUp({ ours, bare }: { ours: Side; bare: Side } = this, turns = 30): Promise<void> {
    await ours.run(turns);
    await bare.run(turns);
  }
}

async function writeConfig(folder: string, settings: object): Promise<string> {
  const path = join(folder, 'temporal.yaml');
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ ...settings, agents: require.resolve('./agents') }));
  return path;
}
