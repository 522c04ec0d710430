import { agentService, defineAgent, defineContract, eventService, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { waitForFact } from '../facts';
import { until } from '../until';

const stock = defineContract({
  type: 'stock.check',
  description: 'How many are left',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string(), parentSubject$$: z.string().nullable() }),
      emits: { 'evt.stock.check.success': z.object({ left: z.number() }) },
    },
  },
});
const sent: { id: string; subject: string; type: string; data: unknown }[] = [];
const legal = defineAgent({ name: 'test.legal', inputSchema: z.object({ text: z.string() }), instructions: 'legal' });
const agent = defineAgent({
  name: 'test.shop',
  services: {
    ask: signalService(stock, '1.0.0', { timeout: '7d' }),
    carrier: eventService(stock, '1.0.0', { outlet: 'carrier' }),
    legal: agentService(legal),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents: [agent, legal],
    outlets: { carrier: (event) => void sent.push(event) },
  });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  sent.length = 0;
});

async function waiting(...steps: Parameters<AgentTestEnvironment['model']['script']>): Promise<RunHandle<string>> {
  kit.model.script(...steps);
  return kit.start(agent, { input: 'go' });
}

function told(): string {
  return JSON.stringify(kit.model.requests.at(-1)?.body.messages);
}

test('a signal service waits a week for the program that does the work', async () => {
  const run = await waiting(call('ask', { sku: 'a' }), text('done'));
  const {
    services: [asked],
  } = await run.waiting({ atLeast: { services: 1 } });
  expect(asked).toMatchObject({ toolUseId: 't1.1', tool: 'ask', kind: 'signal', input: { sku: 'a' } });
  await kit.skip('6d');
  await kit.client.completeCall(run.id, 't1.1', { data: { left: 3 } });
  expect((await run.result()).data).toBe('done');
  expect(told()).toContain('{\\"left\\":3}');
  await kit.replay(run);
});

test('without an answer in time: an error result, and the late answer is refused', async () => {
  const run = await waiting(call('ask', { sku: 'a' }), text('done'));
  await run.waiting({ atLeast: { services: 1 } });
  await run.result();
  expect(told()).toContain('gave no answer within 7 days');
  await expect(kit.client.completeCall(run.id, 't1.1', { data: { left: 3 } })).rejects.toMatchObject({
    type: 'RunEnded',
  });
});

test('an event leaves by its outlet, and the event that answers it is the result', async () => {
  const run = await waiting(call('carrier', { sku: 'b' }), text('done'));
  await run.waiting({ atLeast: { services: 1 } });
  await waitForFact(run, 'service.called');
  await until(() => sent.length > 0, 'the event to be sent');
  const [event = { id: '' }] = sent;
  expect(event).toMatchObject({
    subject: run.id,
    type: 'com.stock.check',
    data: { sku: 'b', parentSubject$$: run.id },
  });
  expect(event.id).toMatch(/\/t1\.1$/);
  await kit.client.completeService({
    specversion: '1.0',
    id: 'e1',
    source: 'carrier',
    subject: run.id,
    type: 'evt.stock.check.success',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    parentid: event.id,
    data: { left: 'many' },
  });
  await run.result();
  expect(told()).toContain('breaks its contract: left');
  await kit.replay(run);
});

test('another agent works as a child, and knows who asked', async () => {
  const run = await waiting(call('legal', { text: 'x' }), text('it is fine'), text('done'));
  expect((await run.result()).data).toBe('done');
  expect(told()).toContain('it is fine');
  const child = kit.client.get(`${run.id}/t1.1`);
  expect(await child.state()).toMatchObject({ agent: 'test.legal', delegatedBy: { agent: 'test.shop', id: run.id } });
  await kit.replay(run);
});
