import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import { WorkerChild } from '../durability/stage/worker-child';
import type { ChatRequest, ModelReply } from '../kit/model-reply';
import { type ModelServer, serveModel } from '../kit/model-server';
import { call, calls, text } from '../kit/scripted-model';
import { boss } from './stage/tree-agents';

const ROUNDS = 5;
const KILLS = 2;
/** Dollars for a token. */
const TOKEN = 0.0001;
/** Milliseconds that an answer takes, so that kills find calls in progress. */
const ANSWER = 150;

let dir: string;
let server: DevServer;
let model: ModelServer;
let client: AgentClient;
let worker: WorkerChild;
/** What the provider charges: for every request that arrives, whatever becomes of its answer. */
let charged: number[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-budget-'));
  [server, model] = await Promise.all([startDevServer({ ui: false }), serveModel(answer)]);
  const price = TOKEN * 1_000_000;
  const path = join(dir, 'temporal.yaml');
  const config = {
    temporal: { address: server.address },
    agents: join(__dirname, 'stage', 'tree-agents.ts'),
    models: { default: { baseUrl: model.url, model: 'scripted', prices: { prompt: price, completion: price } } },
  };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(config));
  client = await AgentClient.connect({ config: await loadConfig({ path, env: {} }) });
  worker = await WorkerChild.start(path, { TEMPORAL_ADDRESS: server.address });
});
afterAll(async () => {
  await worker.kill();
  await client.close();
  await Promise.all([model.close(), server.stop()]);
  rmSync(dir, { recursive: true });
});

/** An agent that never stops by itself: each works until its budget is used up. */
async function answer(request: ChatRequest): Promise<ModelReply> {
  // Less than the worker counts: its tokenizer finds one for about four characters.
  const prompt = Math.floor(JSON.stringify(request.messages).length / 8);
  const usage = { prompt, completion: 100 };
  charged.push((prompt + 100) * TOKEN);
  await pause(ANSWER);
  if (request.tool_choice === 'none') return text('so far', { usage });
  const isBoss = JSON.stringify(request.messages[0]).includes('boss');
  return isBoss
    ? { ...calls(['left', { input: 'x' }], ['right', { input: 'y' }]), usage }
    : call('note', { text: 'a' }, { usage });
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);

it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'a tree of three agents spends at most one dollar and a call for each agent, round %s',
  async (round) => {
    charged = [];
    const run = await client.start(boss, { id: `tree-${round}`, input: 'go' });
    for (let kill = 0; kill < KILLS; kill++) {
      // Anywhere in the work: the calls in progress are those of one agent, or of two.
      await pause(300 + Math.random() * 1500);
      await worker.kill();
      worker = await WorkerChild.start(join(dir, 'temporal.yaml'), { TEMPORAL_ADDRESS: server.address });
    }
    const end = await run.result().then(
      ({ cost, children, stoppedBy }) => ({
        cost: cost?.amount ?? 0,
        children: children?.runs,
        stoppedBy: stoppedBy?.kind,
      }),
      (error: Error & { type?: string }) => ({ failed: error.type }),
    );
    const most = Math.max(...charged);
    const spent = sum(charged);
    process.stdout.write(
      `${JSON.stringify({ round, calls: charged.length, spent: Number(spent.toFixed(4)), most, ...end })}\n`,
    );
    expect(spent).toBeLessThanOrEqual(1 + 3 * most);
    // The run knows of at least what was charged, since lost calls count as all that they might have cost.
    if ('cost' in end) {
      expect(end.cost).toBeGreaterThanOrEqual(spent - 1e-9);
      expect(end.cost).toBeLessThanOrEqual(1 + 3 * most);
      expect(end.stoppedBy).toBe('cost');
    } else expect(end.failed).toBe('BudgetExhausted');
  },
);
