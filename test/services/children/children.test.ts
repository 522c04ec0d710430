import { childWorkflow, defineAgent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../../facts';
import { type PlainWorker, startPlainWorker } from '../plain-worker';
import { endOf, expectWhole, outcomes, plain, stock } from '../stage';

const QUEUES = { eu: 'stock-eu', us: 'stock-us' };
const child = (workflow: string, more: Partial<Parameters<typeof childWorkflow>[2]> = {}) =>
  childWorkflow(stock, '1.0.0', { workflow, taskQueue: QUEUES, domain: 'eu', ...more });

const agent = defineAgent({
  name: 'test.children',
  services: {
    answers: child('answers'),
    overseas: child('answers', { domain: 'us' }),
    anonymous: childWorkflow(plain, '1.0.0', { workflow: 'answers', taskQueue: 'stock-eu' }),
    week: child('answersAfterAWeek'),
    hurried: child('answersAfterAWeek', { timeout: '2d' }),
    fails: child('fails'),
    untyped: child('failsWithoutAType'),
    broken: child('breaksItsContract'),
    silent: child('answersNothing'),
    large: child('answersTooMuch'),
    event: child('takesAnEvent', { form: 'event' }),
  },
});

let kit: AgentTestEnvironment;
let workers: PlainWorker[] = [];
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
  workers = await Promise.all(Object.values(QUEUES).map((taskQueue) => startPlainWorker(kit, taskQueue)));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await kit.close();
});
afterEach(() => kit.model.reset());

async function asking(service: string, sku = 'a'): Promise<RunHandle<string>> {
  kit.model.script(call(service, { sku }), text('done'));
  return kit.start(agent, { input: 'go' });
}

/** What the model was told, once the run has ended in order. */
async function told(run: RunHandle<unknown>): Promise<string> {
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
  return (await outcomes(run))['t1.1'] ?? '';
}

test('a child workflow answers, knows who asked, and works where its domain says', async () => {
  const run = await asking('answers', 'x');
  expect(JSON.parse(await told(run))).toEqual({ left: 3, sku: 'x', parent: run.id, queue: 'stock-eu' });
  const overseas = await asking('overseas');
  expect(JSON.parse(await told(overseas))).toMatchObject({ queue: 'stock-us' });
});

test('a service whose contract does not ask for it is not told who asked', async () => {
  expect(JSON.parse(await told(await asking('anonymous')))).toMatchObject({ left: 3, parent: null });
});

test('the facts name the child that was asked, and say that it has answered', async () => {
  const run = await asking('answers');
  await endOf(run);
  const facts = (await factsOf(run)).filter(({ type }) => type.startsWith('service.'));
  expect(facts).toMatchObject([
    { type: 'service.called', toolUseId: 't1.1', name: 'answers', kind: 'child', ref: `${run.id}/t1.1` },
    { type: 'service.answered', toolUseId: 't1.1', name: 'answers' },
  ]);
});

test('a child takes a week', async () => {
  const run = await asking('week');
  expect(await told(run)).toContain('"left":7');
  const { startTime, closeTime = startTime } = await run.workflow.describe();
  expect(closeTime.getTime() - startTime.getTime()).toBeGreaterThan(6.9 * 86_400_000);
});

test('a child that takes too long is cancelled', async () => {
  const run = await asking('hurried');
  expect(await told(run)).toBe('ServiceTimedOut: `hurried` gave no answer within 2 days.');
  const { startTime, closeTime = startTime } = await run.workflow.describe();
  expect(closeTime.getTime() - startTime.getTime()).toBeLessThan(3 * 86_400_000);
  expect(await endOf(kit.client.get(`${run.id}/t1.1`))).toBe('Cancelled');
});

test('a child that fails reports its type and its reason, which the model reads', async () => {
  expect(await told(await asking('fails', 'b'))).toBe('ServiceFailed: `fails` failed: SkuUnknown: there is no b');
  const reason = await told(await asking('untyped'));
  expect(reason).toMatch(/^ServiceFailed: `untyped` failed: y+/);
  expect(reason.length).toBeLessThan(2100);
});

test('an answer that breaks the contract, or is missing, is an error that names the failing paths', async () => {
  expect(await told(await asking('broken'))).toMatch(
    /^InvalidAnswer: The answer of `broken` breaks its contract: left/,
  );
  expect(await told(await asking('silent'))).toMatch(/^InvalidAnswer: The answer of `silent` breaks its contract: /);
});

test('an answer that is too large is an error, and the run goes on', async () => {
  expect(await told(await asking('large'))).toMatch(
    /^ResultTooLarge: The answer of `large` is 15000\d\d bytes, more than the 1048576 that can be kept/,
  );
});

test('an id that is already in use is an error', async () => {
  await kit.temporal.client.workflow.start('waits', { workflowId: 'taken/t1.1', taskQueue: 'stock-eu', args: [] });
  kit.model.script(call('answers', { sku: 'a' }), text('done'));
  const run = await kit.start(agent, { input: 'go', id: 'taken' });
  expect(await told(run)).toContain('ServiceFailed: `answers` was not run: the workflow id `taken/t1.1` is in use.');
});

describe('a child that takes and returns events', () => {
  test('gets one with everything that it needs, and answers with one', async () => {
    const run = await asking('event', 'ok');
    const { event, ...given } = JSON.parse(await told(run)) as { event: { id: string; [field: string]: unknown } };
    expect(given).toEqual({ left: 5, sku: 'ok', more: { parentSubject$$: run.id } });
    expect(event).toMatchObject({
      specversion: '1.0',
      subject: run.id,
      source: 'holdfast/test.children',
      type: 'com.stock.check',
      to: 'com.stock.check',
      datacontenttype: 'application/json',
      dataschema: '#/contracts/stock.check/1.0.0',
      domain: 'eu',
      data: { sku: 'ok', parentSubject$$: run.id },
    });
    expect(event.id).toMatch(/\/t1\.1$/);
    for await (const one of run.facts()) {
      if (one.type === 'service.answered') {
        expect(one).toMatchObject({ event: 'evt.stock.check.success', executionUnits: 4 });
      }
    }
  });

  test.each([
    ['error', 'ServiceFailed: `event` failed: Sold: all of it'],
    ['another type', 'InvalidAnswer: The answer of `event` breaks its contract: type: `evt.stock.check.other`'],
    [
      'another version',
      'InvalidAnswer: The answer of `event` breaks its contract: its schema is `#/contracts/stock.check/2.0.0`',
    ],
    ['no event', 'InvalidAnswer: The answer of `event` breaks its contract: Invalid event'],
  ])('may answer with %s', async (sku, expected) => {
    expect(await told(await asking('event', sku))).toContain(expected);
  });
});
