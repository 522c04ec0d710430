import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { AgentClient } from '../../../client/agent-client';
import type { RunHandle } from '../../../client/runs/run-handle';
import { loadConfig } from '../../../runtime/config/config';
import { type DevServer, startDevServer } from '../../../workers/dev/dev-server';
import { factsOf } from '../../facts';
import { until } from '../../until';
import { builder, clerk, teller } from './agents';
import { factProblems, transcriptProblems } from './check-transcript';
import { RunScripts, type Turn } from './run-scripts';
import { readLines, releaseFile, type ToolLine } from './tool-log';
import { WorkerChild } from './worker-child';

/** A real server, a model that follows scripts, and workers that can be killed. */
export class Stage {
  readonly #workers: WorkerChild[] = [];

  private constructor(
    readonly dir: string,
    readonly server: DevServer,
    readonly model: RunScripts,
    readonly client: AgentClient,
  ) {}

  static async open(): Promise<Stage> {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-durability-'));
    const [server, model] = await Promise.all([startDevServer({ ui: false }), RunScripts.start()]);
    const path = writeConfig(dir, { address: server.address, model: model.url });
    const config = await loadConfig({ path, env: {} });
    return new Stage(dir, server, model, await AgentClient.connect({ config }));
  }

  /** A worker in a separate process, ready to work. `address`: where it finds the server. */
  async worker({ grace = 300, address = this.server.address } = {}): Promise<WorkerChild> {
    const path = writeConfig(this.dir, { address, model: this.model.url, grace }, `${grace}-${address.split(':')[1]}`);
    const worker = await WorkerChild.start(path, {
      HOLDFAST_DURABILITY_DIR: this.dir,
      TEMPORAL_ADDRESS: address,
    });
    this.#workers.push(worker);
    return worker;
  }

  /** Starts the clerk on a script. */
  start(run: string, ...turns: Turn[]): Promise<RunHandle<string>> {
    this.model.script(run, ...turns);
    return this.client.start(clerk, { id: run, input: { run } });
  }

  /** The same of the agent with default limits. */
  startTeller(run: string, ...turns: Turn[]): Promise<RunHandle<string>> {
    this.model.script(run, ...turns);
    return this.client.start(teller, { id: run, input: { run } });
  }

  startBuilder(run: string, context: 'quick' | 'wait' | 'stubborn', ...turns: Turn[]): Promise<RunHandle<unknown>> {
    this.model.script(run, ...turns);
    return this.client.start(builder, { id: run, input: { run, context } });
  }

  /** The records of what the functions of a run did so far. */
  lines(run: string, event?: ToolLine['event']): ToolLine[] {
    return readLines(this.dir).filter((line) => line.run === run && (event === undefined || line.event === event));
  }

  /** Calls that have begun and not ended. */
  underWay(): ToolLine[] {
    const all = readLines(this.dir);
    const ended = new Set(
      all.filter(({ event }) => event !== 'start').map((line) => JSON.stringify({ ...line, event: '' })),
    );
    return all.filter((line) => line.event === 'start' && !ended.has(JSON.stringify({ ...line, event: '' })));
  }

  async started(run: string, tool: string, times = 1): Promise<void> {
    const starts = () => this.lines(run, 'start').filter((line) => line.tool === tool);
    await until(() => starts().length >= times, `start ${times} of ${tool} in ${run}`);
  }

  /** Releases everything that waits in a run, or in one call of it. */
  release(...all: string[]): void {
    for (const what of all) writeFileSync(releaseFile(this.dir, what), '');
  }

  /** The facts of an ended run, after a check that transcript and facts are whole. */
  async checked(run: RunHandle): Promise<Fact[]> {
    const facts = await factsOf(run);
    const messages = await run.transcript();
    expect(transcriptProblems(messages)).toEqual([]);
    expect(factProblems(facts, messages)).toEqual([]);
    return facts;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()));
    await this.client.close();
    await Promise.all([this.model.close(), this.server.stop()]);
    rmSync(this.dir, { recursive: true });
  }
}

function writeConfig(
  dir: string,
  { address, model, grace = 300 }: { address: string; model: string; grace?: number },
  name = 'client',
): string {
  const path = join(dir, `temporal-${name}.yaml`);
  const config = {
    temporal: { address },
    agents: join(__dirname, 'agents.ts'),
    models: { default: { baseUrl: model, model: 'scripted' } },
    worker: { shutdownGrace: `${grace}ms` },
  };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(config));
  return path;
}
