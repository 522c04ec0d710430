import { childWorkflow, defineAgent, eventService, type ServiceEvent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf, waitForFact } from '../facts';
import { until } from '../until';
import { type PlainWorker, startPlainWorker } from './plain-worker';
import { answerTo, expectWhole, outcomes, plain } from './stage';

const domain = ['eu', 'us'];
const sent: { outlet: string; event: ServiceEvent }[] = [];
const agent = defineAgent({
  name: 'test.domains',
  services: {
    child: childWorkflow(plain, '1.0.0', {
      workflow: 'answers',
      domain,
      taskQueue: { eu: 'domains-eu', us: 'domains-us' },
    }),
    event: eventService(plain, '1.0.0', { domain, outlet: { eu: 'europe', us: 'america' } }),
    signal: signalService(plain, '1.0.0', { domain }),
  },
});

let kit: AgentTestEnvironment;
let workers: PlainWorker[] = [];
beforeAll(async () => {
  const outlet = (name: string) => (event: ServiceEvent) => void sent.push({ outlet: name, event });
  kit = await createAgentTestEnvironment({
    agents: [agent],
    outlets: { europe: outlet('europe'), america: outlet('america') },
  });
  workers = await Promise.all(['domains-eu', 'domains-us'].map((queue) => startPlainWorker(kit, queue)));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await kit.close();
});
afterEach(() => {
  kit.model.reset();
  sent.length = 0;
});

let events = 0;
const startedIn = (started: string) =>
  kit.client.startFromEvent('test.domains', {
    specversion: '1.0',
    id: `ask-${++events}`,
    source: 'com.shop',
    subject: 'order-17',
    type: 'arvo.orc.test.domains',
    data: {},
    ...(started === '' ? {} : { domain: started }),
  });

it.each<[string, string, string, () => Promise<RunHandle<unknown>>]>([
  ['the domain of the event that started the run', 'us', 'america', () => startedIn('us')],
  ['the first, if the event has none', 'eu', 'europe', () => startedIn('')],
  ['the first, if it does not name that of the event', 'eu', 'europe', () => startedIn('asia')],
  ['the first, if no event started the run', 'eu', 'europe', () => kit.start(agent, { input: {} })],
])('each call of a service in several domains goes to one: %s', async (_, chosen, outlet, start) => {
  const input = { sku: 'a' };
  kit.model.script(calls(['child', input], ['event', input], ['signal', input]), text('done'));
  const run = await start();
  await waitForFact(run, 'service.called', 3);
  const { services } = await run.waiting();
  expect(services.find(({ tool }) => tool === 'signal')?.domain).toBe(chosen);
  await until(() => sent.length === 1, 'the event');
  expect(sent[0]).toMatchObject({ outlet, event: { domain: chosen } });
  await kit.client.completeService(answerTo(sent[0]?.event as ServiceEvent));
  await kit.client.completeCall(run.id, 't1.3', { data: { left: 1 } });
  await run.result();
  expect(JSON.parse((await outcomes(run))['t1.1'] ?? '')).toMatchObject({ queue: `domains-${chosen}` });
  const asked = await factsOf(run, 'service.called');
  expect(asked.map((fact) => fact.domain)).toEqual([chosen, chosen, chosen]);
  await expectWhole(kit, run);
});
