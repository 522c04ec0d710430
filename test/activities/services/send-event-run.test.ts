import { defineAgent } from 'holdfast';
import { readWebhook } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { defineContract } from '../../../agent/contracts/contract';
import { eventService } from '../../../agent/define/service';
import { newGate } from '../../gate';
import { receiver } from './receiver';

const SECRET = 'a secret of two';
const Stock = defineContract({
  type: 'stock.check',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string() }),
      emits: { 'evt.stock.check.success': z.object({ left: z.number() }) },
    },
  },
});
const shop = defineAgent({
  name: 'shop.asks',
  services: { stock: eventService(Stock, '1.0.0', { outlet: 'shop' }) },
});

let kit: AgentTestEnvironment;
afterEach(async () => {
  await kit.close();
  delete process.env.TEST_RUN_SECRET;
});

test('a service that was down for a moment gets the event signed, and its answer reaches the model', async () => {
  process.env.TEST_RUN_SECRET = SECRET;
  const server = await receiver(503, (response) => {
    response.writeHead(202).end();
    arrived();
  });
  const { open: arrived, opened: second } = newGate();
  const outlets = { shop: { url: server.url, secret: { env: 'TEST_RUN_SECRET' } } };
  kit = await createAgentTestEnvironment({ agents: [shop], outlets });
  kit.model.script(call('stock', { sku: 'A-17' }), text('three are left'));
  const run = await kit.start(shop, { input: 'how many?' });
  await second;
  const [first, again] = [server.request(1), server.request(2)];
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  const event = readWebhook({ headers: again.headers, body: again.body, secret: SECRET });
  expect(event).toMatchObject({ subject: run.id, type: 'com.stock.check', data: { sku: 'A-17' } });
  expect(event.id).toMatch(/\/t1\.1$/);
  const answer = { ...event, id: 'answer', type: 'evt.stock.check.success', parentid: event.id, data: { left: 3 } };
  await kit.client.completeService({ ...answer, dataschema: event.dataschema ?? '' });
  expect((await run.result()).data).toBe('three are left');
  await expect(kit.client.completeService(answer)).rejects.toMatchObject({
    type: 'RunEnded',
    data: { id: run.id, status: 'completed' },
  });
  kit.model.assertDone();
  await server.close();
});
