import { defineAgent, type HoldfastError } from 'holdfast';
import { fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import type { ScriptStep } from '../../kit/scripted-model';
import { stageOfModels } from './models-stage';

const output = z.object({ n: z.number() });
const chain = defineAgent({ name: 'chain.plain', model: ['first', 'second'] });
const alone = defineAgent({ name: 'chain.alone', model: 'first' });
const careful = defineAgent({
  name: 'chain.fallback',
  model: ['first', 'second'],
  outputSchema: output,
  fallbackAnswer: { n: -1 },
});

const { servers, kit } = stageOfModels({
  names: ['first', 'second'],
  agents: [chain, careful, alone],
  // One more call after the first, and no more.
  config: { patience: 1, answerTimeout: 3000 },
});
const { first, second } = servers;

const status = (code: number, more: object = {}) => fault({ kind: 'status', status: code, ...more });

test.each([
  ['a model that does not exist', [status(404)], 'ModelNotFound'],
  ['a refusal', [text('no', { finishReason: 'content_filter' })], 'Refused'],
  ['a key that is refused', [status(401)], 'ModelUnauthorized'],
  ['no quota', [status(429, { code: 'insufficient_quota' })], 'ModelQuotaExceeded'],
  ['a page instead of an answer', [fault({ kind: 'html' })], 'ModelAnswerUnreadable'],
  ['an answer without an end', [{ raw: ['x'.repeat(5 * 1024 * 1024)] }], 'ModelAnswerTooLarge'],
  ['an answer that trickles', [text('x'.repeat(10_000), { chunkSize: 1, chunkDelay: 100 })], 'ModelAnswerTooSlow'],
  ['a server that does not come back', [status(503), status(500)], 'ModelUnavailable'],
  ['a transcript that is too long', [status(400, { code: 'context_length_exceeded' })], 'ModelContextTooLong'],
  ['a request that it cannot take', [status(400, { message: 'does not support images' })], 'ModelRequestInvalid'],
  ['streams that are cut', Array(2).fill(fault({ kind: 'cut', after: 3 }, { text: 'halfway' })), 'ModelUnavailable'],
])('moves on after %s, tells it as a fact, and stays there', async (_what, faults, type) => {
  first.script(...faults);
  second.script(text(''), text('from the second'));
  const run = await kit().start(chain, { input: 'go' });
  expect((await run.result()).data).toBe('from the second');
  const switched = (await factsOf(run)).filter((fact) => fact.type === 'model.switched');
  expect(switched).toMatchObject([{ turn: 1, from: 'first', to: 'second', error: { type } }]);
  first.assertDone();
  expect((await run.transcript()).map((m) => m.partial)).not.toContain(true);
  await kit().replay(run);
});

test.each<[string, ScriptStep, string]>([
  ['an answer without an end', { raw: ['x'.repeat(5 * 1024 * 1024)] }, 'ModelAnswerTooLarge'],
  ['an answer that trickles', text('x'.repeat(10_000), { chunkSize: 1, chunkDelay: 100 }), 'ModelAnswerTooSlow'],
])('does not ask again after %s', async (_what, reply, type) => {
  first.script(reply);
  const run = await kit().start(alone, { input: 'go' });
  await expect(run.result()).rejects.toMatchObject({ type });
  expect(first.requests).toHaveLength(1);
  await kit().replay(run);
});

test('fails with the error of the last model when the agent declares no static answer', async () => {
  first.script(status(404));
  second.script(status(401));
  const run = await kit().start(chain, { input: 'go' });
  const error = (await run.result().catch((e: unknown) => e)) as HoldfastError;
  expect(error.type).toBe('ModelUnauthorized');
});

test('gives the static answer of the agent that declares one, and tells it as a fact', async () => {
  first.script(status(404));
  second.script(status(401));
  const run = await kit().start(careful, { input: 'go' });
  expect((await run.result()).data).toEqual({ n: -1 });
  const facts = await factsOf(run);
  expect(facts.map((f) => f.type).slice(-3)).toEqual(['model.fallback', 'message', 'loop.end']);
  expect((await run.transcript()).at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: '{"n":-1}' }] });
  await kit().replay(run);
});

test('withdraws what the first model had shown when the second takes over', async () => {
  const half = fault({ kind: 'cut', after: 4 }, { text: 'half an answer', chunkDelay: 5 });
  first.script(half, half);
  second.script(text('whole', { chunkDelay: 5 }));
  const run = await kit().start(chain, { input: 'go' });
  let shown = '';
  const reading = (async () => {
    for await (const event of run.events()) {
      if (event.type === 'stream.text') shown += event.text;
      if (event.type === 'stream.clear') shown = '';
    }
  })();
  await run.result();
  await reading;
  expect(shown).toBe('whole');
});
