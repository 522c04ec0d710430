import type { ConversationHandle } from 'holdfast/client';
import { factsOf } from '../../../facts';
import { until } from '../../../until';
import { brief, chat, OutageStage, plain } from './outage-stage';

let stage: OutageStage;
beforeAll(async () => {
  stage = await OutageStage.open();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

/** The model asks for a wait of an hour, and the run waits from the first failure on. */
const anHour = { status: 429, headers: { 'retry-after': '3600' } };

type Waiting = { state(): Promise<{ outage?: { nextAt?: number } }> };
const waits = (run: Waiting) =>
  until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');

async function conversation(id: string) {
  stage.down = anHour;
  const run = stage.kit.conversation(chat, { id });
  const taken = await run.send('Hello?');
  await waits(run);
  return { run, taken };
}

/** Closes a conversation, waits for its end and replays its history. */
async function closeAndReplay(run: ConversationHandle<unknown>): Promise<void> {
  await run.close();
  await run.result();
  await stage.kit.replay(run);
}

test('a person can have the model asked at once, again and again', async () => {
  stage.down = anHour;
  const run = await stage.kit.start(plain, { input: 'go' });
  await waits(run);
  await run.retry({ by: 'ann' });
  await until(() => stage.requests === 2, 'the second request');
  await waits(run);
  stage.down = undefined;
  await run.retry();
  expect((await run.result()).data).toBe('Back.');
  const facts = await factsOf(run);
  expect(facts.filter(({ type }) => type.startsWith('model.'))).toMatchObject([
    { type: 'model.waiting', attempt: 1 },
    { type: 'model.retried', by: 'ann' },
    { type: 'model.waiting', attempt: 2 },
    { type: 'model.retried' },
  ]);
  expect((await run.state()).turn).toBe(1);
  await stage.kit.replay(run);
});

test('the call that a person asks for is made although the circuit of the model is open', async () => {
  // Five failures in a row open it, and each of these runs waits from its first one on.
  stage.down = { status: 503, headers: { 'retry-after': '3600' } };
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => stage.kit.start(plain, { input: 'go' })));
  for (const each of runs) await waits(each);
  const [run, ...others] = runs;
  if (run === undefined) throw new Error('no run');
  stage.down = undefined;
  await run.retry({ by: 'ann' });
  await until(async () => (await run.state()).end !== undefined, 'the answer');
  for (const other of others) await other.workflow.terminate();
  const facts = await factsOf(run);
  const asked = facts.find(({ type }) => type === 'model.retried')?.time ?? 0;
  expect((facts.at(-1)?.time ?? Infinity) - asked).toBeLessThan(2000);
  await stage.kit.replay(run);
});

test('a retry without a wait to end is refused; as a signal it is counted', async () => {
  const run = stage.kit.conversation(chat, { id: 'nothing-to-retry' });
  const taken = await run.send('Hello?');
  await run.answerTo(taken);
  await expect(run.retry()).rejects.toMatchObject({ type: 'NothingToRetry', data: { id: run.id } });
  await stage.kit.temporal.client.workflow.getHandle(run.id).signal('retry', { by: 'ann' });
  await until(async () => (await run.state()).ignored.NothingToRetry === 1, 'the signal to be counted');
  await closeAndReplay(run);
});

test('a signal ends the wait as an update does', async () => {
  stage.down = anHour;
  const run = await stage.kit.start(plain, { input: 'go' });
  await waits(run);
  stage.down = undefined;
  await stage.kit.temporal.client.workflow.getHandle(run.id).signal('retry', { by: 'ann' });
  expect((await run.result()).data).toBe('Back.');
  await stage.kit.replay(run);
});

test('messages queue meanwhile, and one that is sent with `now` ends the wait', async () => {
  const { run, taken } = await conversation('steered');
  const queued = await run.send('And then?');
  expect(queued.ahead).toBe(1);
  await run.steer('By the way', { when: 'queue' });
  expect((await run.state()).outage?.nextAt).toBeDefined();
  expect(stage.requests).toBe(1);
  stage.down = undefined;
  await run.steer('Answer now', { when: 'now' });
  expect((await run.answerTo(taken)).data).toBe('Back.');
  expect((await run.answerTo(queued)).data).toBe('Back.');
  const asked = JSON.stringify(stage.flaky.requests.at(-2)?.body.messages);
  expect(asked).toContain('By the way');
  expect(asked).toContain('Answer now');
  // The failed call does not count as a turn.
  expect((await run.state()).turn).toBe(2);
  await closeAndReplay(run);
});

test('an interrupt ends the wait and its exchange', async () => {
  const { run, taken } = await conversation('interrupted');
  await run.interrupt({ by: 'ann' });
  expect(await run.answerTo(taken).catch((error: unknown) => error)).toMatchObject({ reason: 'interrupted' });
  expect(await run.state()).toMatchObject({ turn: 0, idle: true });
  expect(await run.state()).not.toHaveProperty('outage');
  stage.down = undefined;
  expect((await run.answerTo(await run.send('Again'))).data).toBe('Back.');
  await closeAndReplay(run);
});

test('a cancel ends the wait', async () => {
  stage.down = anHour;
  const run = await stage.kit.start(brief, { input: 'go' });
  await waits(run);
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(await run.state()).not.toHaveProperty('outage');
  await stage.kit.replay(run);
});
