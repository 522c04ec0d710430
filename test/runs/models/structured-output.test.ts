import { defineAgent, defineTool } from 'holdfast';
import { call, fault, type ScriptedModel, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import { stageOfModels } from './models-stage';

const outputSchema = z.object({ n: z.number() });
const count = defineTool({
  description: 'Counts',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => 3,
});
const counter = defineAgent({ name: 'output.counter', tools: { count }, outputSchema });
const chained = defineAgent({ name: 'output.chained', model: ['default', 'second'], tools: { count }, outputSchema });
const note = defineAgent({ name: 'output.note', outputSchema: z.string() });

const { servers, kit } = stageOfModels({
  names: ['second'],
  agents: [counter, chained, note],
  // Each task is replayed from the beginning, as on a worker that has just taken over the run.
  maxCachedWorkflows: 0,
});
const { second } = servers;

const refused = fault({ kind: 'status', status: 400, message: 'This response_format type is unavailable now' });
const gone = fault({ kind: 'status', status: 404, message: 'no such model' });
const formats = (model: ScriptedModel) => model.requests.map(({ body }) => body.response_format?.type);
const downgradesOf = async (run: Parameters<typeof factsOf>[0]) =>
  (await factsOf(run)).filter((fact) => fact.type === 'model.downgraded');

test('a server that refuses the output format is asked in another way, for the rest of the run', async () => {
  kit().model.script(refused, refused, call('count'), text('I think {"n":"three"}'), text('It is {"n":3}.'));
  const run = await kit().start(counter, { input: 'go' });
  expect((await run.result()).data).toEqual({ n: 3 });
  expect(formats(kit().model)).toEqual(['json_schema', 'json_object', undefined, undefined, undefined]);
  expect(await downgradesOf(run)).toMatchObject([
    { turn: 1, model: 'default', from: 'schema', to: 'prompt', why: expect.stringContaining('response_format') },
  ]);
  // A refusal does not count as a turn.
  expect(await run.state()).toMatchObject({ turn: 3, toolInteractions: { current: 3 } });
  kit().model.assertDone();
  await kit().replay(run);
});

test('a server that accepts the format is not asked in another way, and no fact says so', async () => {
  kit().model.script(text('{"n":1}'));
  const run = await kit().start(counter, { input: 'go' });
  expect((await run.result()).data).toEqual({ n: 1 });
  expect(formats(kit().model)).toEqual(['json_schema']);
  expect(await downgradesOf(run)).toEqual([]);
});

test('each model of a chain is asked in its own way, and a downgrade before a failure is told, too', async () => {
  kit().model.script(refused, gone);
  second.script(call('count'), refused, text('{"n":2}'));
  const run = await kit().start(chained, { input: 'go' });
  expect((await run.result()).data).toEqual({ n: 2 });
  expect(formats(kit().model)).toEqual(['json_schema', 'json_object']);
  expect(formats(second)).toEqual(['json_schema', 'json_schema', 'json_object']);
  expect(await downgradesOf(run)).toMatchObject([
    { turn: 1, model: 'default', from: 'schema', to: 'json_object' },
    { turn: 2, model: 'second', from: 'schema', to: 'json_object' },
  ]);
  await kit().replay(run);
});

test('a text output that looks like JSON stays a text', async () => {
  kit().model.script(text('{"n":1}'));
  const run = await kit().start(note, { input: 'go' });
  expect((await run.result()).data).toBe('{"n":1}');
});

test('reasoning in tags is in the transcript as reasoning, and is not sent back', async () => {
  kit().model.script(call('count', {}, { text: '<think>Let me count.</think>I count.' }), text('{"n":3}'));
  const run = await kit().start(counter, { input: 'go' });
  await run.result();
  const answer = (await run.transcript()).find(({ role }) => role === 'assistant');
  expect(answer?.parts.slice(0, 2)).toEqual([
    { type: 'reasoning', text: 'Let me count.' },
    { type: 'text', text: 'I count.' },
  ]);
  const sent = kit().model.requests[1]?.body.messages.find(({ role }) => role === 'assistant');
  expect(sent?.content).toBe('I count.');
});
