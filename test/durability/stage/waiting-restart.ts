import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../../client/agent-client';
import type { RunHandle } from '../../../client/runs/run-handle';
import { loadConfig } from '../../../runtime/config/config';
import { startDevServer } from '../../../workers/dev/dev-server';
import { serveModel } from '../../kit/model-server';
import { calls, text } from '../../kit/scripted-model';
import { slowness } from '../../slowness';
import { keeper } from './waiting-agents';
import { WorkerChild } from './worker-child';

/**
 * Every run waits for two answers; then worker and server are lost, started again, and all is decided. Returns the
 * answers.
 */
export async function decideAfterRestart(count: number): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-waiting-'));
  const dbFile = join(dir, 'temporal.db');
  const model = await serveModel(({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    return results.length === 0 ? calls(['pay'], ['count']) : text(results.join(', '));
  });
  let server = await startDevServer({ ui: false, dbFile });
  const port = Number(server.address.split(':').at(-1));
  const path = writeConfig(dir, server.address, model.url);
  const env = { TEMPORAL_ADDRESS: server.address };
  let worker = await WorkerChild.start(path, env);
  let client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
  const ids = Array.from({ length: count }, (_, i) => `keeper-${i}`);
  const each = (work: (run: RunHandle<string>) => Promise<void>) => inTurns(ids, (id) => work(client.get<string>(id)));
  try {
    await each(async ({ id }) => void (await client.start(keeper, { id, input: {} })));
    await each(async (run) => {
      await run.waiting({ atLeast: { approvals: 1 } });
      await run.waiting({ atLeast: { services: 1 } });
    });
    await client.close();
    await worker.kill();
    await server.stop();
    server = await startDevServer({ ui: false, dbFile, port });
    worker = await WorkerChild.start(path, env);
    client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
    await each(async (run) => {
      const {
        approvals: [ask],
      } = await run.waiting({ atLeast: { approvals: 1 } });
      await run.approve(ask, { by: 'ann' });
      await client.completeCall(run.id, 't1.2', { data: { left: ids.indexOf(run.id) } });
    });
    const answers: string[] = [];
    await each(async (run) => {
      answers[ids.indexOf(run.id)] = (await run.result()).data;
    });
    return answers;
  } finally {
    await worker.kill();
    await client.close();
    await Promise.all([model.close(), server.stop()]);
    rmSync(dir, { recursive: true });
  }
}

/** The answer of each run that lost nothing. */
export function expectedAnswers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `paid keeper-${i}, {"left":${i}}`);
}

function writeConfig(dir: string, address: string, baseUrl: string): string {
  const path = join(dir, 'temporal.yaml');
  const agents = join(__dirname, 'waiting-agents.ts');
  writeFileSync(path, JSON.stringify({ temporal: { address }, agents, models: { default: { baseUrl, model: 'm' } } }));
  return path;
}

/** A new worker has no run in its cache: it replays each one that a query is about, while the query waits. */
async function inTurns(all: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const left = all.values();
  const atOnce = Math.ceil(20 / slowness());
  const some = Array.from({ length: atOnce }, async () => {
    for (const one of left) await work(one);
  });
  await Promise.all(some);
}
