import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../../client/agent-client';
import { loadConfig } from '../../../runtime/config/config';
import { SILENT_LOG } from '../../../runtime/log';
import { installTemporalRuntime } from '../../../runtime/temporal/log';
import { startDevServer } from '../../../workers/dev/dev-server';
import { receiver } from '../../activities/services/receiver';
import type { ChatRequest } from '../../kit/model-reply';
import { serveModel } from '../../kit/model-server';
import { flapping } from './flapping';
import { randomReply } from './model';
import type { Random } from './random';
import { RandomWorkers } from './workers';

/** Milliseconds that reading an ended run may take: its worker may have just been killed, on a busy machine. */
const READING = 180_000;

/** What is played: see `RandomRunsOptions`. */
interface Played {
  turns: number;
  flaps: boolean;
  /** Of the server. */
  settings: readonly string[];
}

/** A real server, a model that answers at random, a post office, and workers that die. */
export class RandomStage {
  private constructor(
    /** Where tools write their traces. */
    readonly dir: string,
    readonly client: AgentClient,
    private readonly config: object,
    readonly close: () => Promise<void>,
  ) {}

  static async open(seed: number, { turns, flaps, settings }: Played): Promise<RandomStage> {
    installTemporalRuntime({ log: SILENT_LOG });
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-random-'));
    const answer = (request: ChatRequest) => randomReply(request, seed, turns);
    const [server, model, post] = await Promise.all([
      startDevServer({ ui: false, settings }),
      serveModel(flaps ? flapping(answer, seed) : answer),
      receiver(),
    ]);
    // Readers of earlier histories read the archive, where it has them already.
    const storage = { folder: join(dir, 'storage'), archive: true };
    const config = {
      temporal: { address: server.address },
      agents: join(__dirname, 'agents.ts'),
      models: {
        default: { baseUrl: model.url, model: 'random', patience: '3s' },
        spare: { baseUrl: model.url, model: 'spare', patience: '12s' },
        other: { baseUrl: model.url, model: 'other', patience: '5s' },
      },
      outlets: { post: { url: post.url } },
      storage,
    };
    const defaults = await loadConfig({ cwd: '/', env: {} });
    const client = await AgentClient.connect({
      config: { ...defaults, storage, temporal: { ...defaults.temporal, address: server.address } },
    });
    const patient = new AgentClient(client.temporal, { taskQueue: 'holdfast', workerTimeout: READING });
    return new RandomStage(dir, patient, config, async () => {
      await client.close();
      await Promise.all([model.close(), post.close(), server.stop()]);
      rmSync(dir, { recursive: true });
    });
  }

  workers(random: Random): Promise<RandomWorkers> {
    return RandomWorkers.open(this.dir, this.config, random);
  }
}
