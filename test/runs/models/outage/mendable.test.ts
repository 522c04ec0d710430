import { defineAgent, defineTool } from 'holdfast';
import { call, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../../../facts';
import type { ScriptStep } from '../../../kit/scripted-model';
import { stageOfModels } from '../models-stage';

const look = defineTool({
  description: 'Looks',
  effect: 'read',
  inputSchema: z.object({ at: z.string() }),
  execute: ({ at }) => `saw ${at}`,
});
const shared = { tools: { look } };
const task = defineAgent({ name: 'mend.task', model: 'first', ...shared });
const chain = defineAgent({ name: 'mend.chain', model: ['first', 'second'], ...shared });
const careful = defineAgent({ name: 'mend.careful', model: 'first', fallbackAnswer: 'sorry', ...shared });
const chat = defineAgent({ name: 'mend.chat', model: 'first', mode: 'conversation', ...shared });

const { servers, kit } = stageOfModels({
  names: ['first', 'second'],
  agents: [task, chain, careful, chat],
  config: { patience: 600_000 },
});
const { first, second } = servers;

const status = (code: number, more: object = {}) => fault({ kind: 'status', status: code, ...more });
const waits = async (run: Parameters<typeof factsOf>[0]) => factsOf(run, 'model.waiting');

/** What a person has to mend. */
const MENDABLE = [
  ['a key that is refused', status(401), 'ModelUnauthorized'],
  ['a bill', status(402), 'ModelQuotaExceeded'],
  ['a model that is gone', status(404), 'ModelNotFound'],
] as const;

test.each(MENDABLE)('a run with an answer waits for a person: %s', async (_what, problem, type) => {
  first.script(call('look', { at: 'a' }), problem, problem, text('done'));
  const run = await kit().start(task, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  expect(await waits(run)).toMatchObject([
    { turn: 2, model: 'first', attempt: 1, error: { type } },
    { turn: 2, model: 'first', attempt: 2, error: { type } },
  ]);
  expect(await run.state()).toMatchObject({ turn: 2 });
  await kit().replay(run);
});

test.each(MENDABLE)('it fails with the reason when its patience ends: %s', async (_what, problem, type) => {
  first.script(call('look', { at: 'a' }), ...Array(10).fill(problem));
  const run = await kit().start(task, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type });
  await kit().replay(run);
});

test.each(MENDABLE)('a run that has no answer yet fails at once: %s', async (_what, problem, type) => {
  first.script(problem);
  const run = await kit().start(task, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type });
  expect(await waits(run)).toEqual([]);
});

test.each(MENDABLE)('another model takes over at once, and so does a static answer: %s', async (_what, problem) => {
  first.script(call('look', { at: 'a' }), problem, call('look', { at: 'a' }), problem);
  second.script(text('from the second'));
  const run = await kit().start(chain, { input: 'go' });
  expect((await run.result()).data).toBe('from the second');
  const other = await kit().start(careful, { input: 'go' });
  expect((await other.result()).data).toBe('sorry');
  expect([...(await waits(run)), ...(await waits(other))]).toEqual([]);
});

test('the last model of a chain is waited for, where the work was done by one before', async () => {
  first.script(call('look', { at: 'a' }), status(402));
  second.script(status(401), text('from the second'));
  const run = await kit().start(chain, { input: 'go' });
  expect((await run.result()).data).toBe('from the second');
  expect(await waits(run)).toMatchObject([{ model: 'second', error: { type: 'ModelUnauthorized' } }]);
  await kit().replay(run);
});

test('in a conversation the first call for a message fails at once, and a later one is waited for', async () => {
  first.script(text('hello'), status(401), call('look', { at: 'a' }), status(401), text('done'));
  const talk = kit().conversation(chat, { id: 'mend', input: null });
  expect(await talk.ask('hi')).toMatchObject({ data: 'hello' });
  await expect(talk.ask('go')).rejects.toMatchObject({ type: 'ModelUnauthorized' });
  const answer = talk.ask('again');
  await waitForFact(talk, 'model.waiting');
  await kit().skip('2m');
  expect(await answer).toMatchObject({ data: 'done' });
  await talk.close();
});

test.each<[string, ScriptStep]>([
  ['a web page', fault({ kind: 'html' })],
  ['broken JSON', { raw: ['{malformed'], contentType: 'application/json' }],
  ['JSON of another kind', { raw: ['{"ok":true}'], contentType: 'application/json' }],
])('%s in the middle of a run is a short outage', async (_what, problem) => {
  first.script(call('look', { at: 'a' }), problem, problem, text('done'));
  const run = await kit().start(task, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  // The call itself asks again, after a second, and after two.
  expect(await waits(run)).toEqual([]);
  expect(first.requests).toHaveLength(4);
});
