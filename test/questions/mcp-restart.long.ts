import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from 'holdfast/client';
import { loadConfig } from '../../runtime/config/config';
import { startDevServer } from '../../workers/dev/dev-server';
import { fixture, newRecord } from '../activities/mcp/servers';
import { WorkerChild } from '../durability/stage/worker-child';
import { isAlive } from '../is-alive';
import { serveModel } from '../kit/model-server';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';

test('a question of an MCP server outlives that server, the worker and the Temporal server', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-asked-'));
  const dbFile = join(dir, 'temporal.db');
  const record = newRecord();
  const model = await serveModel(({ messages }) => {
    const result = messages.find(({ role }) => role === 'tool')?.content;
    return result === undefined ? call('ops_deploy', { env: 'live' }) : text(String(result));
  });
  let server = await startDevServer({ ui: false, dbFile });
  const port = Number(server.address.split(':').at(-1));
  const path = join(dir, 'temporal.yaml');
  const config = {
    temporal: { address: server.address },
    agents: join(__dirname, 'desk.ts'),
    models: { default: { baseUrl: model.url, model: 'm' } },
    mcp: { ops: fixture('asking-server.mjs', [], { env: record.env }) },
  };
  writeFileSync(path, JSON.stringify(config));
  const env = { TEMPORAL_ADDRESS: server.address };
  const connect = async () => AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
  let worker = await WorkerChild.start(path, env);
  let client = await connect();
  try {
    await client.start('questions.desk', { id: 'asked', input: 'go' });
    await client.get('asked').waiting({ atLeast: { questions: 1 } });
    const [pid] = record.pids().slice(-1) as [number];
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'the end of the MCP server');
    await client.close();
    await worker.kill();
    await server.stop();

    server = await startDevServer({ ui: false, dbFile, port });
    worker = await WorkerChild.start(path, env);
    client = await connect();
    const run = client.get<string>('asked');
    expect((await run.waiting({ atLeast: { questions: 1 } })).questions).toMatchObject([
      { questionId: 't1.1', question: 'Deploy to live?' },
    ]);
    await run.answer('t1.1', 'yes', { by: 'ann' });
    await run.waiting({ atLeast: { questions: 1 } });
    await run.answer('t1.1/2', { day: 'Friday', hour: 7 }, { by: 'ann' });
    expect((await run.result()).data).toBe('live on Friday at 7');
    const heard = record.lines().flatMap((line) => (line.startsWith('call ') ? [JSON.parse(line.slice(5))] : []));
    expect(heard.map(({ state }) => state)).toEqual([undefined, 'live ✓ {"n":1}\n', 'live ✓ {"n":1}\ntwo']);
    expect(heard[1].pid).not.toBe(pid);
  } finally {
    await worker.kill();
    await client.close();
    await Promise.all([model.close(), server.stop()]);
    rmSync(dir, { recursive: true });
  }
});
