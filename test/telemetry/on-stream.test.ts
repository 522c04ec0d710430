import { defineAgent, defineTool, type Fact, type StreamDelta, type StreamSubject } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const heard: { event: Fact | StreamDelta; about: StreamSubject }[] = [];
const look = defineTool({ description: 'Look', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const listening = defineAgent({
  name: 'test.listening',
  tools: { look },
  instructions: 'Go.',
  onStream: (event, about) => void heard.push({ event, about }),
});
let calls = 0;
const failing = defineAgent({
  name: 'test.failing',
  tools: { look },
  instructions: 'Go.',
  onStream: () => {
    calls++;
    if (calls % 2 === 0) throw new Error('thrown');
    return Promise.reject(new Error('rejected'));
  },
});
const silent = defineAgent({ name: 'test.silent', instructions: 'Go.' });

let kit: AgentTestEnvironment;
const logged = process.env.HOLDFAST_LOG;
beforeAll(async () => {
  process.env.HOLDFAST_LOG = 'silent';
  kit = await createAgentTestEnvironment({ agents: [listening, failing, silent] });
});
beforeEach(() => {
  heard.length = 0;
  kit.model.reset();
});
afterAll(async () => {
  if (logged === undefined) delete process.env.HOLDFAST_LOG;
  else process.env.HOLDFAST_LOG = logged;
  await kit.close();
});

it('gets every fact once and in order, and every delta, each with its run and agent', async () => {
  kit.model.script(call('look'), text('It is done.', { chunkSize: 4 }));
  const run = await kit.start(listening, { input: 'go' });
  await run.result();
  const facts = await factsOf(run);
  expect(heard.flatMap(({ event }) => ('seq' in event && 'exchange' in event ? [event] : []))).toEqual(facts);
  const texts = heard.map(({ event }) => (event.type === 'stream.text' ? event.text : ''));
  expect(texts.join('')).toBe('It is done.');
  expect(heard.map(({ event }) => event.type)).toContain('stream.complete');
  for (const { about } of heard) expect(about).toEqual({ subject: run.id, agent: 'test.listening' });
  const before = heard.length;
  await kit.replay(run);
  expect(heard.length).toBe(before);
});

it('an error that a listener throws, or rejects with, changes nothing', async () => {
  kit.model.script(call('look'), text('done'));
  const run = await kit.start(failing, { input: 'go' });
  expect((await run.result()).data).toBe('done');
  expect(calls).toBeGreaterThan(8);
});

it('a run without a listener emits nothing', async () => {
  kit.model.script(text('done'));
  await (await kit.start(silent, { input: 'go' })).result();
  expect(heard).toEqual([]);
});
