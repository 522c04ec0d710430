import { defineAgent, defineTool, type HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

const output = z.object({ n: z.number() });
const look = defineTool({ description: 'Look', inputSchema: z.object({}), effect: 'read', execute: () => 'seen' });

const plain = defineAgent({ name: 'attempts.plain', outputSchema: output });
const patient = defineAgent({ name: 'attempts.patient', outputSchema: output, limits: { maxOutputAttempts: 5 } });
const looker = defineAgent({
  name: 'attempts.looker',
  outputSchema: output,
  tools: { look },
  limits: { maxToolInteractions: 2 },
});
const once = defineAgent({
  name: 'attempts.once',
  outputSchema: output,
  tools: { look },
  limits: { maxToolInteractions: 2, maxOutputAttempts: 1 },
});
const doer = defineAgent({
  name: 'attempts.doer',
  outputSchema: output,
  tools: { look },
  loopTools: ['task_completion'],
});
const chat = defineAgent({ name: 'attempts.chat', mode: 'conversation', outputSchema: output });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [plain, patient, looker, once, doer, chat] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const wrong = (n: number) => text(`{"n":"wrong ${n}"}`);
const right = text('{"n":1}');

/** The error that a run fails with. */
async function failure(agent: typeof plain): Promise<HoldfastError> {
  const run = await kit.start(agent, { input: 'go' });
  const error = await run.result().catch((thrown: unknown) => thrown as HoldfastError);
  kit.model.assertDone();
  await kit.replay(run);
  return error as HoldfastError;
}

test('three invalid outputs end a run, with the problem of the last one as data and text', async () => {
  kit.model.script(wrong(1), wrong(2), text('{"m":3}'));
  const error = await failure(plain);
  expect(error).toMatchObject({ type: 'OutputInvalid', data: { attempts: 3 } });
  const { problem } = error.data as { problem: string };
  expect(problem).toContain('n: ');
  expect(error.message).toContain(problem.slice(0, 60));
  expect(error.message).toContain('`limits.maxOutputAttempts`');
  expect(error.message).not.toContain('\n');
});

test('an agent may allow more, or a single one', async () => {
  kit.model.script(wrong(1), wrong(2), wrong(3), wrong(4), right);
  expect((await (await kit.start(patient, { input: 'go' })).result()).data).toEqual({ n: 1 });
  kit.model.reset();
  kit.model.script(wrong(1));
  expect(await failure(once)).toMatchObject({ type: 'OutputInvalid', data: { attempts: 1 } });
});

test('a correction is a tool interaction, and a failed concluding call names the quota and the reason', async () => {
  kit.model.script(wrong(1), call('look'), (turn) => {
    expect(turn.request.tool_choice).toBe('none');
    return text('{"n":"the last"}');
  });
  const error = await failure(looker);
  expect(error).toMatchObject({
    type: 'ToolQuotaExhausted',
    data: { max: 2, problem: expect.stringContaining('n: ') },
  });
  expect(error.message).toContain('gave no valid output (Your answer does not fit');
});

test('the concluding call has an attempt of its own, however few an agent allows', async () => {
  kit.model.script(call('look'), call('look'), right);
  const run = await kit.start(once, { input: 'go' });
  expect((await run.result()).data).toEqual({ n: 1 });
  kit.model.script(call('look'), call('look'), wrong(1));
  expect(await failure(once)).toMatchObject({ type: 'ToolQuotaExhausted' });
});

test('when one answer reaches both limits, the limit of the output counts', async () => {
  kit.model.script(call('look'), wrong(1));
  expect(await failure(once)).toMatchObject({ type: 'OutputInvalid', data: { attempts: 1 } });
});

test('results that are given by a call count too, once for each answer', async () => {
  const both = calls(
    ['task_completion', { result: { n: 'x' } }],
    ['task_completion', { result: { n: 'y' } }],
    ['look', {}],
  );
  kit.model.script(
    both,
    both,
    calls(['task_completion', { result: { n: 'z' } }], ['task_completion', { result: { n: 7 } }]),
  );
  expect((await (await kit.start(doer, { input: 'go' })).result()).data).toEqual({ n: 7 });
  kit.model.script(both, call('look'), both, both);
  expect(await failure(doer)).toMatchObject({ type: 'OutputInvalid', data: { attempts: 3 } });
});

test('in a conversation invalid outputs end the exchange, and the next one begins with all attempts', async () => {
  kit.model.script(wrong(1), wrong(2), wrong(3), wrong(4), wrong(5), right);
  const run = kit.conversation(chat, { id: 'attempts-1' });
  const taken = await run.send('first');
  await expect(run.answerTo(taken)).rejects.toMatchObject({ type: 'OutputInvalid' });
  expect(await run.answerTo(await run.send('again'))).toMatchObject({ data: { n: 1 } });
  await run.close();
  expect(await run.result()).toMatchObject({ exchanges: 2 });
  await kit.replay(run);
});
