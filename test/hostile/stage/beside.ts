import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentClient } from '../../../client/agent-client';
import { loadConfig } from '../../../runtime/config/config';
import { type DevServer, startDevServer } from '../../../workers/dev/dev-server';
import { WorkerChild } from '../../durability/stage/worker-child';
import type { HostileInput } from '../inputs/input';
import { SURFACES, type SurfaceName } from '../inputs/surfaces';
import type { HeldMemory } from './agents';
import { HostileRun, within } from './hostile-run';
import { type Innocent, Innocents } from './innocents';
import { Party } from './party-child';

const MB = 1024 * 1024;
/**
 * `most`: milliseconds that a fact of an innocent run may be late; `times`: or this many times the stall of a run with
 * nothing beside it; `tries`: how often a late one is checked. A stall caused by the input repeats, a stall caused by
 * other work on the machine does not.
 */
const LATE = { most: 1000, times: 5, tries: 3 };
/**
 * Milliseconds after which a hostile run has ended: several attempts, each as long as the limits, or a flood that is
 * given up, on a slow machine.
 */
const LONGEST = 120_000;

/** Milliseconds within which a worker that is not blocked reports its memory. */
const ANSWERS = 5000;

/** Worker processes that serve hostile and innocent runs at once. */
export class Beside {
  #bound = LATE.most;
  #workers: WorkerChild[] = [];
  #start: HeldMemory[] = [];

  private constructor(
    private readonly dir: string,
    private readonly server: DevServer,
    private readonly party: Party,
    private readonly innocents: Innocents,
    private readonly client: AgentClient,
    private readonly startWorker: () => Promise<WorkerChild>,
  ) {}

  static async open({ workers: count }: { workers: number }): Promise<Beside> {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-hostile-'));
    mkdirSync(join(dir, 'files'));
    const [server, party, innocents] = await Promise.all([
      startDevServer({ ui: false }),
      Party.start(),
      Innocents.open(dir),
    ]);
    const path = writeConfig(dir, server.address, { hostile: party.url, innocent: innocents.url });
    const env = { HOLDFAST_DURABILITY_DIR: dir, HOSTILE_PARTY: party.url, HOLDFAST_LOG: 'warn' };
    const startWorker = () => WorkerChild.start(path, env);
    const client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
    const all = new Beside(dir, server, party, innocents, client, startWorker);
    all.#workers = await Promise.all(Array.from({ length: count }, startWorker));
    await all.#measure();
    return all;
  }

  /**
   * One hostile run, with innocent ones beside it from before its start until after its end. If that fails, both are
   * ended and workers that do not answer are replaced, so that the next input finds a sound stage.
   */
  async faces(surface: SurfaceName, input: HostileInput): Promise<void> {
    const stalls: number[] = [];
    const bounds = [this.#bound];
    let took = 0;
    for (let n = 1; n <= LATE.tries; n++) {
      if (n > 1) bounds.push(await this.#ownBound(took));
      const began = Date.now();
      const id = n === 1 ? undefined : `again-${n}-${surface}-${input.name}`;
      const stall = await this.#stallBeside(input, new HostileRun(this.client, this.dir, surface, input, id));
      if (stall <= (bounds.at(-1) as number)) return;
      stalls.push(stall);
      took = Date.now() - began;
    }
    expect({ bounds, stalls }).toEqual({ bounds, stalls: [] });
  }

  /** For how long the innocent runs stalled. */
  async #stallBeside(input: HostileInput, run: HostileRun): Promise<number> {
    let innocent: Innocent | undefined;
    try {
      await run.prepare();
      innocent = await this.innocents.start(this.client);
      const ended = await run.play(LONGEST).then(
        () => undefined,
        (error: unknown) => error,
      );
      // The worst first: if a worker is gone, the rest follows from it.
      expect(this.#workers.filter(({ alive }) => !alive).map(({ output }) => output.slice(-2000))).toEqual([]);
      const worst = await within(LONGEST, `An innocent run beside ${input.name}`, innocent.end());
      if (ended !== undefined) throw ended;
      return worst;
    } catch (error) {
      await Promise.all([run.id, ...(innocent?.ids ?? [])].map((id) => this.#terminate(id)));
      await this.#replaceWorkers();
      throw error;
    } finally {
      await run.cleanUp();
    }
  }

  /** Every worker holds as much memory as before, plus at most this much. */
  async checkMemory(): Promise<void> {
    const now = await this.#memory();
    const grown = now.map(({ used, resident }, i) => ({
      used: used - (this.#start[i]?.used ?? 0),
      resident: resident - (this.#start[i]?.resident ?? 0),
    }));
    const text = grown.map(
      ({ used, resident }) => `${(used / MB).toFixed()} MB used, ${(resident / MB).toFixed()} MB resident`,
    );
    expect({ text, grown: grown.filter(({ used }) => used > 50 * MB) }).toEqual({ text, grown: [] });
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()));
    await this.client.close();
    await Promise.all([this.party.close(), this.innocents.close(), this.server.stop()]);
    rmSync(this.dir, { recursive: true });
  }

  /** How long an innocent run stalls by itself; afterwards every worker has loaded its modules. */
  async #measure(): Promise<void> {
    const warm = (['stream', 'http', 'schema', 'file'] as const).map((surface, i) => {
      const input = (SURFACES[surface] as readonly HostileInput[]).find(({ quick }) => quick) as HostileInput;
      return new HostileRun(this.client, this.dir, surface, input, `warm-${i}`).start();
    });
    await Promise.all(warm.map(async (run) => (await run).result().catch(() => undefined)));
    this.#bound = await this.#ownBound();
    this.#start = await this.#memory();
  }

  /**
   * How late a fact may be, from the stalls of an innocent run with nothing beside it over this many milliseconds: on a
   * busy machine the worst of half a minute is several times that of two seconds.
   */
  async #ownBound(time = 2000): Promise<number> {
    const innocent = await this.innocents.start(this.client);
    await pause(Math.max(2000, time));
    return Math.max(LATE.most, LATE.times * (await innocent.end()));
  }

  #memory(): Promise<HeldMemory[]> {
    return Promise.all(this.#workers.map((worker) => worker.ask<HeldMemory>('memory')));
  }

  async #replaceWorkers(): Promise<void> {
    await Promise.all(
      this.#workers.map(async (worker, i) => {
        const answer = worker.alive ? within(ANSWERS, 'a worker', worker.ask<HeldMemory>('memory')) : undefined;
        if (await answer?.catch(() => undefined)) return;
        await worker.kill();
        this.#workers[i] = await this.startWorker();
        this.#start[i] = await this.#workers[i].ask<HeldMemory>('memory');
      }),
    );
  }

  async #terminate(id: string): Promise<void> {
    // Most runs have ended.
    await this.client
      .get(id)
      .workflow.terminate()
      .catch(() => undefined);
  }
}

function writeConfig(dir: string, address: string, models: { hostile: string; innocent: string }): string {
  const path = join(dir, 'temporal.yaml');
  const config = {
    temporal: { address },
    agents: join(__dirname, 'agents.ts'),
    models: {
      hostile: { baseUrl: models.hostile, model: 'hostile', idleTimeout: 1000, patience: 1000 },
      innocent: { baseUrl: models.innocent, model: 'innocent' },
    },
  };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(config));
  return path;
}
