import { defineAgent, eventService, type ServiceEvent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf, waitForFact } from '../facts';
import { until } from '../until';
import { answerTo, endOf, expectWhole, outcomes, plain, stock } from './stage';

const sent: ServiceEvent[] = [];
const agent = defineAgent({
  name: 'test.events',
  services: {
    carrier: eventService(stock, '1.0.0', {
      outlet: { eu: 'europe', us: 'nowhere' },
      domain: 'eu',
      to: 'carrier.inbox',
    }),
    plain: eventService(plain, '1.0.0', { outlet: 'nowhere' }),
    hurried: eventService(plain, '1.0.0', { outlet: 'nowhere', timeout: '2d' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const outlets = { europe: (event: ServiceEvent) => void sent.push(event), nowhere: () => undefined };
  kit = await createAgentTestEnvironment({ agents: [agent], outlets });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  sent.length = 0;
});

async function asking(...steps: Parameters<AgentTestEnvironment['model']['script']>) {
  kit.model.script(...steps, text('done'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  const [first] = steps as { calls?: unknown[] }[];
  const awaited = (await run.waiting({ atLeast: { services: first?.calls?.length ?? 1 } })).services;
  /** The event of a call, with the fields that an answer needs. */
  const eventOf = (nth: number, type = 'com.stock.check') => {
    const id = awaited.find(({ toolUseId }) => toolUseId === `t1.${nth}`)?.ref;
    return { id, subject: run.id, type } as ServiceEvent;
  };
  return { run, eventOf };
}

const ignoredBy = async (run: RunHandle<unknown>) =>
  (await factsOf(run, 'message.ignored')).map(
    ({ why, toolUseId, detail }) => `${why} ${toolUseId ?? ''} ${detail ?? ''}`,
  );
/** Bypasses what the client refuses by itself. */
const signal = (run: RunHandle<unknown>, event: unknown) => run.workflow.signal('serviceAnswer', event);

test('an event leaves by the outlet of its domain with everything that CloudEvents require', async () => {
  const { run, eventOf } = await asking(call('carrier', { sku: 'b' }));
  await until(() => sent.length === 1, 'the event');
  expect(sent[0]).toEqual({
    specversion: '1.0',
    id: eventOf(1).id,
    source: 'holdfast/test.events',
    subject: run.id,
    type: 'com.stock.check',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    datacontenttype: 'application/json',
    dataschema: '#/contracts/stock.check/1.0.0',
    data: { sku: 'b', parentSubject$$: run.id },
    to: 'carrier.inbox',
    domain: 'eu',
    holdfastlineage: 'test.events',
  });
  await kit.client.completeService(answerTo(sent[0] as ServiceEvent, { executionunits: 2 }));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}' });
  await expectWhole(kit, run);
});

test('the event that says that the service failed is an error with its name and its message', async () => {
  const { run, eventOf } = await asking(calls(['carrier', { sku: 'a' }], ['carrier', { sku: 'b' }]));
  const type = 'sys.com.stock.check.error';
  const data = { errorName: 'SkuUnknown', errorMessage: 'there is no a', errorStack: 'at line 1' };
  await kit.client.completeService(answerTo(eventOf(1), { type, data }));
  await kit.client.completeService(answerTo(eventOf(2), { type, data: null }));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1': 'ServiceFailed: `carrier` failed: SkuUnknown: there is no a',
    't1.2': 'ServiceFailed: `carrier` failed: it gave no reason',
  });
  await expectWhole(kit, run);
});

test('an answer of another type or of another version breaks the contract; one of the right version does not', async () => {
  const { run, eventOf } = await asking(
    calls(...['a', 'b', 'c'].map((sku) => ['carrier', { sku }] as [string, { sku: string }])),
  );
  await kit.client.completeService(answerTo(eventOf(1), { type: 'evt.stock.check.sold' }));
  await kit.client.completeService(answerTo(eventOf(2), { dataschema: '#/contracts/stock.check/2.0.0' }));
  await kit.client.completeService(answerTo(eventOf(3), { dataschema: '#/contracts/stock.check/1.0.0' }));
  expect(await endOf(run)).toBe('done');
  const broken = 'InvalidAnswer: The answer of `carrier` breaks its contract: ';
  expect(await outcomes(run)).toEqual({
    't1.1': `${broken}type: \`evt.stock.check.sold\` is not an answer of the contract, which has \`evt.stock.check.success\``,
    't1.2': `${broken}its schema is \`#/contracts/stock.check/2.0.0\`, expected \`#/contracts/stock.check/1.0.0\`.`,
    't1.3': '{"left":3}',
  });
  await expectWhole(kit, run);
});

test('unknown, repeated and malformed answers are counted and recorded, and change nothing', async () => {
  const { run, eventOf } = await asking(calls(['carrier', { sku: 'a' }], ['plain', { sku: 'b' }]));
  const first = answerTo(eventOf(1));
  await signal(run, { ...first, parentid: 'another-run/t1.1' });
  await signal(run, { ...first, parentid: undefined });
  await signal(run, { ...first, parentid: `${eventOf(1).id}0` });
  await signal(run, { ...first, subject: 'another-run' });
  await signal(run, 'no event');
  await signal(run, { ...first, specversion: '0.3' });
  await signal(run, { ...first, data_base64: 'e30=' });
  await kit.client.completeService(first);
  await kit.client.completeService({ ...first, data: { left: 99 } });
  await kit.client.completeService(answerTo(eventOf(2, 'com.stock.plain')));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}', 't1.2': '{"left":3}' });
  expect((await run.state()).ignored).toEqual({ StrangeAnswer: 4, InvalidEvent: 3, DoubleAnswer: 1 });
  expect(await ignoredBy(run)).toEqual([
    'StrangeAnswer t1.1 evt.stock.check.success',
    'StrangeAnswer  evt.stock.check.success',
    'StrangeAnswer t1.10 evt.stock.check.success',
    'StrangeAnswer t1.1 subject another-run',
    expect.stringMatching(/^InvalidEvent {2}.*Expected a CloudEvent/),
    expect.stringMatching(/^InvalidEvent {2}.*specversion/),
    expect.stringMatching(/^InvalidEvent {2}.*data_base64/),
    'DoubleAnswer t1.1 ',
  ]);
  await expectWhole(kit, run);
});

test('an answer that arrives after the end of the call is late, in this batch and in a later one', async () => {
  const { run, eventOf } = await asking(
    calls(['hurried', { sku: 'a' }], ['plain', { sku: 'b' }]),
    call('plain', { sku: 'c' }),
  );
  const late = answerTo(eventOf(1, 'com.stock.plain'));
  await kit.skip('3d');
  await waitForFact(run, 'tool.error');
  await kit.client.completeService(late);
  await kit.client.completeService(answerTo(eventOf(2, 'com.stock.plain')));
  await waitForFact(run, 'service.called', 3);
  await kit.client.completeService(late);
  const {
    services: [last],
  } = await run.waiting({ atLeast: { services: 1 } });
  await kit.client.completeService(answerTo({ ...eventOf(1, 'com.stock.plain'), id: last?.ref ?? '' }));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1': 'ServiceTimedOut: `hurried` gave no answer within 2 days.',
    't1.2': '{"left":3}',
    't2.1': '{"left":3}',
  });
  expect((await run.state()).ignored).toEqual({ LateAnswer: 2 });
  await expect(kit.client.completeService(late)).rejects.toMatchObject({ type: 'RunEnded' });
  await expectWhole(kit, run);
});

test('fields that the sender leaves empty count as absent', async () => {
  const { run, eventOf } = await asking(call('carrier', { sku: 'a' }));
  await signal(run, { ...answerTo(eventOf(1)), dataschema: null, executionunits: null, traceparent: null, time: null });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}' });
});
