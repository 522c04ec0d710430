import type { Payload, PayloadCodec } from '@temporalio/common';
import { childWorkflow, defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { JsonObject } from '../../agent/values/json';
import { type PlainWorker, startPlainWorker } from '../services/plain-worker';
import { outcomes, plain } from '../services/stage';
import { json, rawCalls } from './raw';

const holds = ({ data }: Payload, word: string) => Buffer.from(data ?? []).includes(word);
const broken = (payload: Payload) => ({ ...payload, metadata: { encoding: Buffer.from('binary/encrypted') } });

/** Writes an unreadable payload for one word, and cannot read another. */
const codec: PayloadCodec = {
  encode: async (payloads) => payloads.map((payload) => (holds(payload, 'CORRUPT') ? broken(payload) : payload)),
  async decode(payloads) {
    if (payloads.some((payload) => holds(payload, 'UNDECODABLE'))) throw new Error('no such key');
    return payloads;
  },
};

let runs = 0;
const tool = (effect: 'once' | 'read', run: () => string) =>
  defineTool({ description: 'Do it', inputSchema: z.object({}), effect, execute: run });
const agent = defineAgent({
  name: 'payload.results',
  instructions: 'Go.',
  tools: {
    pay: tool('once', () => `CORRUPT ${++runs}`),
    look: tool('read', () => 'CORRUPT'),
    fails: tool('once', () => {
      throw Object.assign(new Error('out of order'), { details: ['CORRUPT'] });
    }),
  },
  services: { stock: childWorkflow(plain, '1.0.0', { workflow: 'answers', taskQueue: 'payload-stock' }) },
});
const corrupt = defineAgent({ name: 'payload.corrupt', instructions: 'CORRUPT' });
const chat = defineAgent({ name: 'payload.chat', mode: 'conversation', instructions: 'Go.' });

let kit: AgentTestEnvironment;
let stock: PlainWorker | undefined;
beforeAll(async () => {
  const temporal = { dataConverter: { payloadCodecs: [codec] } };
  kit = await createAgentTestEnvironment({ agents: [agent, corrupt, chat], server: 'dev', temporal });
  stock = await startPlainWorker(kit, 'payload-stock', {
    dataConverter: { payloadCodecs: [{ ...codec, encode: async (payloads) => payloads.map(broken) }] },
  });
});
afterAll(async () => {
  await stock?.stop();
  await kit.close();
});
afterEach(() => kit.model.reset());

async function told(name: string, input: JsonObject): Promise<string | undefined> {
  kit.model.script(call(name, input), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  await kit.replay(run);
  return (await outcomes(run))['t1.1'];
}

it('tells the model of a result that cannot be read, and that a `once` tool did run', async () => {
  expect(await told('pay', {})).toMatch(/^OutcomeUnknown: .*it ran, but its result cannot be read/);
  expect(runs).toBe(1);
  expect(await told('look', {})).toMatch(/^ToolFailed: `look` gave no result: it ran, but its result cannot be read/);
  expect(await told('fails', {})).toMatch(/^\w+: .*out of order/);
});

it('tells the model of the result of a child workflow that cannot be read', async () => {
  expect(await told('stock', { sku: 'a' })).toMatch(/^InvalidAnswer: .*The payload of the result of `stock` cannot be/);
});

it('ends a run with a clear failure when the framework cannot read its own results', async () => {
  const built = await kit.start(corrupt, { input: 'go' });
  const type = 'UnreadablePayload';
  await expect(built.result()).rejects.toMatchObject({
    type,
    message: expect.stringContaining('the result of `holdfast.'),
  });
  await kit.replay(built);
  kit.model.script(text('CORRUPT answer'));
  const answered = await kit.start(agent, { input: 'go' });
  await expect(answered.result()).rejects.toMatchObject({ type, data: { what: 'the result of `holdfast.callModel`' } });
  await kit.replay(answered);
});

it('refuses by name what a codec cannot decode: starts, updates, signals, unknown ones too', async () => {
  const failing = await kit.start(chat, { input: 'UNDECODABLE' });
  const problem = /a codec of the worker could not decode it \(encoding `json\/plain`\): no such key/;
  await expect(failing.result()).rejects.toMatchObject({
    type: 'InvalidInput',
    message: expect.stringMatching(problem),
  });

  const run = await kit.start(chat, { input: null });
  await expect(run.send('UNDECODABLE')).rejects.toMatchObject({
    type: 'UnreadablePayload',
    message: expect.stringMatching(problem),
  });
  const raw = rawCalls(kit);
  for (const name of ['send', 'close', 'toolResult', 'strange']) await raw.signal(run.id, name, json('UNDECODABLE'));
  await expect(raw.query(run.id, 'holdfast.facts', json('UNDECODABLE'))).rejects.toThrow(problem);
  expect((await run.state()).ignored).toEqual({ UnreadablePayload: 4 });
  kit.model.script(text('still here'));
  expect((await run.answerTo(await run.send('hello'))).data).toBe('still here');
  await run.close();
  await run.result();
});
