import { type AgentTestEnvironment, fault, type ScriptedModel, text } from 'holdfast/testing';
import { OPEN } from '../../activities/model/circuit/circuit';
import { clerk, failedRun, faultyEnvironment, KEY, lonely } from './faulty-model';

let kit: AgentTestEnvironment;
let model: ScriptedModel;
beforeAll(async () => {
  ({ kit, model } = await faultyEnvironment({ patience: 29_000, idleTimeout: 60_000 }));
});
/** Closes the circuit of the model, for the next test. */
afterEach(async () => {
  await kit.skip(OPEN);
  model.reset();
  model.script(text('Here.'));
  await (await kit.start(clerk, { input: 'are you there?' })).result();
});
afterAll(async () => {
  await kit.close();
  await model.close();
});

const status = (code: number, more: object = {}) => fault({ kind: 'status', status: code, ...more });

it.each([
  [
    'a refused key',
    status(401, { code: 'invalid_api_key', message: `Incorrect API key provided: ${KEY}\n\nSee your account.` }),
    'ModelUnauthorized',
    "Check the key's environment variable in temporal.yaml.",
  ],
  ['a key without permission', status(403), 'ModelUnauthorized', "Check the key's environment variable"],
  [
    'a model name that does not exist',
    status(404, { code: 'model_not_found', message: 'The model `scripted` does not exist' }),
    'ModelNotFound',
    'has no model `scripted`',
  ],
  ['a page of HTML with status 200', fault({ kind: 'html' }), 'ModelAnswerUnreadable', 'Check `baseUrl`'],
  ['an account without money', status(429, { code: 'insufficient_quota' }), 'ModelQuotaExceeded', 'no quota left'],
  ['a request that the server cannot read', status(422), 'ModelRequestInvalid', 'rejected the request'],
  [
    'a transcript that no longer fits',
    status(400, { code: 'context_length_exceeded' }),
    'ModelContextTooLong',
    'no longer fits the context window',
  ],
])('ends a run after one attempt for %s', async (_what, step, type, advice) => {
  const { error, run } = await failedRun({ kit, model }, [step]);
  expect(error.type).toBe(type);
  expect(error.message).toContain(advice);
  expect(model.requests).toHaveLength(1);
  expect((await run.state()).usage).toEqual({ prompt: 0, completion: 0 });
});

it.each([
  ['refuses by its content filter', { finishReason: 'content_filter' }],
  ['breaks off by its safety filter', { finishReason: 'safety' }],
])('keeps the partial text of a model that %s, and its usage', async (_what, more) => {
  const said = text('I would rather not', { usage: { prompt: 11, completion: 4 }, ...more });
  const { error, run, facts } = await failedRun({ kit, model }, [said]);
  expect(error.type).toBe('Refused');
  expect(error.message).toMatch(
    /^The model `scripted` refused to answer \(.+\)\. Change the input, or choose another model\.$/,
  );
  expect((await run.transcript()).at(-1)).toMatchObject({
    role: 'assistant',
    partial: true,
    parts: [{ type: 'text', text: 'I would rather not' }],
  });
  expect(await run.state()).toMatchObject({ usage: { prompt: 11, completion: 4 }, executionUnits: 15 });
  expect(facts).toContainEqual(expect.objectContaining({ type: 'usage', executionUnits: 15 }));
});

// Almost half a minute of patience: an activity makes five attempts in it, after 1, 2, 4 and 8 s, and the run waits once. After
// five failures in a row the circuit of the model is open, and attempts are 15 s apart.

it('gives up a server that is down when the patience with it has ended', async () => {
  const { error, run } = await failedRun({ kit, model }, [], lonely);
  expect(error.type).toBe('ModelUnavailable');
  expect(error.message).toMatch(
    /^The model server at http:\/\/127\.0\.0\.1:\d+\/v1 did not answer for `scripted` \(.*ECONNREFUSED.*\)\. Check that it runs/,
  );
  expect(await attemptsOf(run.id)).toEqual([5, 2]);
});

it.each([
  ['is overloaded', status(503), 'ModelUnavailable', [5, 2]],
  ['limits the rate', status(429, { headers: { 'retry-after': '20' } }), 'ModelRateLimited', [2, 2]],
  ['asks for two hours', status(429, { headers: { 'retry-after': '7200' } }), 'ModelRateLimited', [1, 1]],
  ['answers without choices', fault({ kind: 'no-choices' }), 'ModelUnavailable', [5, 2]],
])('gives up a server that always %s when the patience with it has ended', async (_what, step, type, attempts) => {
  const { error, run } = await failedRun(
    { kit, model },
    Array.from({ length: attempts.reduce((sum, n) => sum + n) }, () => step),
  );
  expect(error.type).toBe(type);
  expect(await attemptsOf(run.id)).toEqual(attempts);
});

it('keeps the text of the last attempt when every stream is cut', async () => {
  const cut = fault({ kind: 'cut', after: 20 }, { text: 'The order was sent on Monday.' });
  const { error, run } = await failedRun(
    { kit, model },
    // The beginning of an answer closes the circuit: attempts of the second call are as close as those of the first.
    Array.from({ length: 10 }, () => cut),
  );
  expect(error.type).toBe('ModelUnavailable');
  const said = (await run.transcript()).filter(({ role }) => role === 'assistant');
  expect(said).toEqual([
    { role: 'assistant', turn: 1, partial: true, parts: [{ type: 'text', text: 'The order was sent o' }] },
  ]);
  const { usage } = await run.state();
  expect(usage.prompt).toBeGreaterThan(0);
  // Each attempt has five.
  expect(usage).toMatchObject({ completion: 5 * model.requests.length, estimated: true });
});

/** Attempts of each model call of a run. */
async function attemptsOf(id: string): Promise<number[]> {
  const { events = [] } = await kit.history({ id });
  const calls = new Set(
    events?.flatMap(({ eventId, activityTaskScheduledEventAttributes: it }) =>
      it?.activityType?.name === 'holdfast.callModel' ? [String(eventId)] : [],
    ),
  );
  const started = events?.flatMap(({ activityTaskStartedEventAttributes: it }) => it ?? []) ?? [];
  return started.filter((it) => calls.has(String(it.scheduledEventId))).map(({ attempt }) => attempt ?? 0);
}
