import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { factsOf } from '../../../facts';
import { newGate } from '../../../gate';
import { until } from '../../../until';

const plain = defineAgent({ name: 'at-once.plain' });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [plain], server: 'dev' });
});
afterEach(() => kit.model.reset());
afterAll(() => kit.close());

/** The failed attempts of the model call that waits for its next one. */
async function failedAttempts(run: { id: string }): Promise<number> {
  const { raw } = await kit.temporal.client.workflow.getHandle(run.id).describe();
  const [call] = raw.pendingActivities ?? [];
  return call?.state === 1 ? (call.attempt ?? 1) - 1 : 0;
}

test('while the activity itself retries, a retry makes its next attempt at once, and is told', async () => {
  // The server asks for longer than this test may take, and for less than the minute of the activity.
  const later = fault({ kind: 'status', status: 429, headers: { 'retry-after': '50' } });
  kit.model.script(later, text('Back.'));
  const run = await kit.start(plain, { input: 'go' });
  await until(async () => (await failedAttempts(run)) === 1, 'the first attempt to fail');
  const began = Date.now();
  await run.retry({ by: 'ann' });
  expect((await run.result()).data).toBe('Back.');
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(await factsOf(run, 'model.retried')).toMatchObject([{ turn: 1, by: 'ann' }]);
  await kit.replay(run);
});

test('while the next attempt is being made, another retry is taken and changes nothing', async () => {
  const { open, opened } = newGate();
  const later = fault({ kind: 'status', status: 429, headers: { 'retry-after': '50' } });
  kit.model.script(later, async () => {
    await opened;
    return text('Back.');
  });
  const run = await kit.start(plain, { input: 'go' });
  await until(async () => (await failedAttempts(run)) === 1, 'the first attempt to fail');
  await run.retry({ by: 'ann' });
  await kit.model.request(2);
  await run.retry({ by: 'bob' });
  open();
  expect((await run.result()).data).toBe('Back.');
  expect(kit.model.requests).toHaveLength(2);
  expect(await factsOf(run, 'model.retried')).toMatchObject([{ turn: 1, by: 'ann' }]);
  await kit.replay(run);
});

test('while a run that has waited asks its model again, another retry is taken and changes nothing', async () => {
  const { open, opened } = newGate();
  const hour = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
  kit.model.script(hour, async () => {
    await opened;
    return text('Back.');
  });
  const run = await kit.start(plain, { input: 'go' });
  await until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');
  await run.retry({ by: 'ann' });
  await kit.model.request(2);
  await run.retry({ by: 'bob' });
  open();
  expect((await run.result()).data).toBe('Back.');
  expect(await factsOf(run, 'model.retried')).toMatchObject([{ turn: 1, by: 'ann' }]);
  await kit.replay(run);
});

test('a call that is being made, and one that was answered, are not asked again', async () => {
  const { open, opened } = newGate();
  kit.model.script(async () => {
    await opened;
    return text('Once.');
  });
  const run = await kit.start(plain, { input: 'go' });
  await kit.model.request(1);
  await expect(run.retry()).rejects.toMatchObject({ type: 'NothingToRetry', data: { id: run.id } });
  open();
  expect((await run.result()).data).toBe('Once.');
  await expect(run.retry()).rejects.toMatchObject({ type: 'RunEnded' });
  expect(kit.model.requests).toHaveLength(1);
  await kit.replay(run);
});

test('the attempts before count: what they have used of the minute is not given twice', async () => {
  const soon = fault({ kind: 'status', status: 429, headers: { 'retry-after': '25' } });
  kit.model.script(soon, soon, soon);
  const run = await kit.start(plain, { input: 'go' });
  for (const attempts of [1, 2]) {
    await until(
      async () => (await failedAttempts(run)) >= 1 && kit.model.requests.length === attempts,
      'an attempt to fail',
    );
    await run.retry();
  }
  // Three times 25 s are more than a minute: now the run itself waits.
  await until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');
  expect(kit.model.requests).toHaveLength(3);
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
});
