import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import { asksForSummary, tokensOf } from '../context-window/tokens';
import { WorkerChild } from '../durability/stage/worker-child';
import { factsOf } from '../facts';
import type { ChatRequest, ModelReply } from '../kit/model-reply';
import { type ModelServer, serveModel } from '../kit/model-server';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';
import { reader } from './stage/reader-agents';

let dir: string;
let path: string;
let server: DevServer;
let model: ModelServer;
let client: AgentClient;
let worker: WorkerChild;

let pages = 0;
/** Prompt tokens of the requests for summaries. */
const summaries: number[] = [];
/** Prompt and completion tokens of all answers that arrived. */
let answered = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-summary-'));
  [server, model] = await Promise.all([startDevServer({ ui: false }), serveModel(answer)]);
  path = join(dir, 'temporal.yaml');
  const config = {
    temporal: { address: server.address },
    agents: join(__dirname, 'stage', 'reader-agents.ts'),
    models: { default: { baseUrl: model.url, model: 'scripted', contextWindow: 8000 } },
  };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(config));
  client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
  worker = await startWorker();
});
afterAll(async () => {
  await worker.kill();
  await client.close();
  await Promise.all([model.close(), server.stop()]);
  rmSync(dir, { recursive: true });
});

const startWorker = () => WorkerChild.start(path, { TEMPORAL_ADDRESS: server.address });

/** Never answers the first request for a summary. */
async function answer(request: ChatRequest): Promise<ModelReply> {
  const prompt = tokensOf(request);
  const isSummary = asksForSummary(request);
  if (isSummary) summaries.push(prompt);
  if (isSummary && summaries.length === 1) return new Promise(() => {});
  answered += prompt + 10;
  const usage = { prompt, completion: 10 };
  if (isSummary) return text('SUMMARY', { usage });
  return pages < 14 ? call('fetch', { n: pages++ }, { usage }) : text('read it all', { usage });
}

it('a summary whose worker is killed counts as all that it might have cost, marked as an estimate', async () => {
  const run = await client.start(reader, { id: 'reader', input: 'read' });
  await until(() => summaries.length === 1, 'the request for a summary');
  await worker.kill();
  worker = await startWorker();
  expect(await run.result()).toMatchObject({ data: 'read it all' });
  const [first] = (await factsOf(run, 'usage')).filter((fact) => fact.for === 'summary');
  expect(summaries.length).toBeGreaterThan(1);
  // The attempt that was killed, and the one after it.
  expect(first?.usage).toMatchObject({ prompt: expect.any(Number), estimated: true });
  const { usage, budgets } = await run.state();
  const spent = usage.prompt + usage.completion;
  expect(spent).toBeGreaterThanOrEqual(answered + (summaries[0] ?? 0));
  expect(budgets?.run?.tokens).toMatchObject({ spent, reserved: 0 });
});
