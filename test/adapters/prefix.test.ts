import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import type { Provider, ProviderRequest, WireStep } from './provider';
import { overHttp } from './wire-server';
import { chat } from './wires/chat';

const look = defineTool({
  description: 'Looks up',
  effect: 'read',
  inputSchema: z.object({ q: z.string() }),
  execute: ({ q }) => `found ${q}: ${'word '.repeat(150)}`,
});
const agentOn = (model: string, more: object = {}) =>
  defineAgent({ name: `prefix.${model}`, model, instructions: 'Look it up.', tools: { look }, ...more });

const calling = (q: string, id?: string) => ({ name: 'look', arguments: { q }, ...(id === undefined ? {} : { id }) });

const SCRIPTS: { [model: string]: WireStep[] } = {
  corrected: [
    { reasoning: 'Hm.', signature: 's1', text: 'Looking.', calls: [calling('a'), calling('b')] },
    { calls: [{ name: 'look', arguments: 'please' }] },
    { text: 'not JSON' },
    { reasoning: 'Hm.', calls: [calling('c')] },
    { text: '{"queue":"a"}' },
  ],
  numbered: [
    // Servers that count the calls of each answer from 0.
    ...['a', 'b', 'c'].map((q) => ({ calls: [calling(q, 'call_0'), calling(`${q}2`, 'call_1')] })),
    { text: 'done' },
  ],
  limited: [{ calls: [calling('a')] }, { calls: [calling('b')] }, { text: 'done' }],
  trimmed: [...Array.from({ length: 14 }, (_, n) => ({ calls: [calling(`q${n}`)] })), { text: 'done' }],
};
const limited = agentOn('limited', { limits: { maxToolInteractions: 2 } });
const corrected = agentOn('corrected', { outputSchema: z.object({ queue: z.string() }) });
const [numbered, trimmed] = [agentOn('numbered'), agentOn('trimmed')];

let kit: AgentTestEnvironment;
const providers: { [model: string]: Provider } = {};
beforeAll(async () => {
  for (const [model, steps] of Object.entries(SCRIPTS)) providers[model] = await overHttp(chat).open(...steps);
  const models = Object.entries(providers).map(([name, provider]) => {
    return [name, provider.model(name === 'trimmed' ? { contextWindow: 2400, maxTokens: 300 } : {})];
  });
  kit = await createAgentTestEnvironment({
    agents: [corrected, numbered, limited, trimmed],
    models: Object.fromEntries(models),
  });
});
afterAll(async () => {
  await kit.close();
  for (const provider of Object.values(providers)) await provider.close();
});

/** The requests of a run. */
async function requestsOf(agent: typeof numbered) {
  const run = await kit.start(agent, { input: 'go' });
  await run.result();
  const { requests = [] } = providers[String(agent.name.split('.')[1])] ?? {};
  return { run, requests };
}

/** The bytes of a request up to its last message. */
function prefixOf({ text }: ProviderRequest): string {
  const end = text.lastIndexOf('],"stream":true');
  expect(end).toBeGreaterThan(0);
  return text.slice(0, end);
}

/** What a provider reads before the messages, and what its cache needs first. */
const head = ({ body, system }: ProviderRequest) => JSON.stringify([body.tools, system]);

test.each([
  ['a result and feedback', corrected, 5],
  ['results of calls whose ids repeat', numbered, 4],
  ['the limit of tool interactions', limited, 3],
])('a call repeats the bytes of the one before it, after %s', async (_, agent, count) => {
  const { requests } = await requestsOf(agent as typeof numbered);
  expect(requests).toHaveLength(count);
  for (const [i, request] of requests.slice(1).entries()) {
    const before = requests[i] as ProviderRequest;
    expect(request.text.slice(0, prefixOf(before).length)).toBe(prefixOf(before));
    expect(request.text.length).toBeGreaterThan(before.text.length);
    expect(head(request)).toBe(head(before));
  }
});

test('a window is trimmed rarely, and a call without a trim repeats the bytes of the one before it', async () => {
  const { run, requests } = await requestsOf(trimmed);
  expect(requests).toHaveLength(15);
  const trims = new Set((await factsOf(run, 'context.trimmed')).map(({ turn }) => turn));
  expect(trims.size).toBeGreaterThanOrEqual(2);
  expect(trims.size).toBeLessThanOrEqual(5);
  for (const [i, request] of requests.slice(1).entries()) {
    const before = requests[i] as ProviderRequest;
    const turn = i + 2;
    const repeats = request.text.startsWith(prefixOf(before));
    expect([turn, repeats]).toEqual([turn, !trims.has(turn)]);
    expect(head(request)).toBe(head(before));
  }
});
