import { agentService, defineAgent, defineContract, defineTool, eventService, type ServiceEvent } from 'holdfast';
import { call, calls, text } from 'holdfast/testing';
import { z } from 'zod';
import { TracedStage, tree } from './traced-stage';

const parcel = defineContract({
  type: 'parcel.send',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.parcel.send.success': z.object({ ok: z.boolean() }) } } },
});
const legal = defineAgent({
  name: 'test.legal',
  inputSchema: z.object({}),
  tools: {
    sign: defineTool({ description: 'Sign', inputSchema: z.object({}), approval: 'always', execute: () => 'signed' }),
  },
});
const shop = defineAgent({
  name: 'test.shop',
  services: { legal: agentService(legal), parcel: eventService(parcel, '1.0.0', { outlet: 'carrier' }) },
});

const sent: ServiceEvent[] = [];
let stage: TracedStage;
beforeAll(async () => {
  stage = await TracedStage.open([shop, legal], { carrier: (event) => void sent.push(event) });
  await stage.worker();
});
afterAll(() => stage.close());

it('a run, the agents that work for it, its events and the decisions of people are one trace', async () => {
  stage.kit.model.script(calls(['legal'], ['parcel']), call('sign'), text('legal is done'), text('done'));
  const run = await stage.kit.start(shop, { input: {} });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.approve(ask, { by: 'ann' });
  const [awaited] = (await run.waiting({ atLeast: { services: 1 } })).services.filter(({ kind }) => kind === 'event');
  await stage.kit.client.completeCall(run.id, awaited?.toolUseId ?? '', { data: { ok: true } });
  await run.result();
  const spans = await stage.spans();

  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const named = (name: string) => spans.find((span) => span.attributes['tool.name'] === name);
  expect(sent[0]?.traceparent).toBe(`00-${spans[0]?.traceId}-${named('parcel')?.spanId}-01`);
  const child = spans.find(({ name }) => name === 'invoke_agent test.legal');
  expect(child?.parentSpanId).toBe(named('legal')?.spanId);
  expect(tree(spans).filter((line) => line.startsWith('GUARDRAIL'))).toHaveLength(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});
