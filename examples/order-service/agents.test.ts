import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { follow } from '../show/follow';
import { lineOf } from '../show/line-of';
import { orders } from './agents';
import { play } from './model';
import { createStockWorker } from './stock/worker';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [orders] });
});
afterAll(() => kit.close());

it('runs as the README shows: an answer that breaks the contract goes to the model, which asks again', async () => {
  play(kit.model);
  const stock = await createStockWorker(kit.temporal.nativeConnection);
  await stock.runUntil(async () => {
    const run = await kit.start(orders, { input: { wish: 'Two lamps, please.' } });
    expect((await run.result()).data).toEqual({ accepted: true, why: 'There are 4 left.' });
    const lines: string[] = [];
    await follow(kit.client, 'shop', run.id, (who, fact) => {
      const line = lineOf(who, fact);
      if (line !== undefined) lines.push(`${line}\n`);
    });
    expect(readFileSync(join(__dirname, 'README.md'), 'utf8')).toContain(lines.join(''));
    expect(lines.join('')).toContain('breaks its contract: left');
    expect((await kit.client.get(`${run.id}/t2.1`).workflow.describe()).type).toBe('checkStock');
    await kit.replay(run);
  });
  kit.model.assertDone();
});
