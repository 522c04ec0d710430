import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { askForLeases } from '../../activities/model/leases/ask-for-leases';
import { newGate } from '../gate';
import { ScriptedModel } from '../kit/scripted-model';
import { usageOf } from './usage-of';

const TOKENS = 15_000;
const alone = defineAgent({ name: 'kept.alone', model: 'slow' });
const wordy = defineAgent({ name: 'kept.wordy', instructions: 'word '.repeat((TOKENS * 4) / 5), model: 'limited' });

const model = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await model.start();
  const limited = { baseUrl: model.url, model: 'm', limits: { tokensPerMinute: 100_000 } };
  const slow = { baseUrl: model.url, model: 'm', limits: { requestsPerMinute: 100 } };
  kit = await createAgentTestEnvironment({ agents: [wordy, alone], models: { limited, slow } });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});

const want = (id: string) => ({ id, interactive: false, tokens: 0, waited: 0, term: 600_000 });

/** Asks for the lease of a call, as a worker does. */
async function granted(alias: string, limits: object, id: string): Promise<boolean> {
  const request = { limits, wants: [want(id)], settled: [] };
  const grant = await askForLeases(kit.temporal.client, alias, request, new AbortController().signal);
  return grant.granted.includes(id);
}

it('a lease counts until it is settled or its term is over, however long nothing else is asked', async () => {
  expect(await granted('long', { concurrent: 1 }, 'a')).toBe(true);
  await kit.skip('3m');
  expect(await granted('long', { concurrent: 1 }, 'b')).toBe(false);
  await kit.skip('8m');
  expect(await granted('long', { concurrent: 1 }, 'c')).toBe(true);
});

it('a wait that a provider asked for holds for its whole time', async () => {
  const limits = { requestsPerMinute: 100 };
  expect(await granted('blocked', limits, 'a')).toBe(true);
  const settled = [{ id: 'a', retryAfter: 600_000 }];
  await askForLeases(kit.temporal.client, 'blocked', { limits, wants: [], settled }, new AbortController().signal);
  await kit.skip('3m');
  expect(await granted('blocked', limits, 'b')).toBe(false);
  await kit.skip('8m');
  expect(await granted('blocked', limits, 'c')).toBe(true);
});

it('a worker that did not get the answer asks again, and has its lease once', async () => {
  for (let i = 0; i < 3; i++) expect(await granted('lost', { concurrent: 2 }, 'a')).toBe(true);
  expect(await granted('lost', { concurrent: 2 }, 'b')).toBe(true);
  expect(await granted('lost', { concurrent: 2 }, 'c')).toBe(false);
});

it('limits in requests alone keep no calls: nothing depends on their ends', async () => {
  for (let i = 0; i < 3; i++) expect(await granted('requests', { requestsPerMinute: 10 }, `${i}`)).toBe(true);
  const { open, slots } = await usageOf(kit.temporal.client.workflow, 'requests');
  expect(open).toEqual({});
  // Each second has its own.
  expect(slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
});

it('the system prompt is a part of the tokens that a call is expected to take', async () => {
  const { open, opened } = newGate();
  model.script(async () => {
    await opened;
    return text('done');
  });
  const run = await kit.start(wordy, { input: 'go' });
  await model.request(1);
  const { slots } = await usageOf(kit.temporal.client.workflow, 'limited');
  open();
  await run.result();
  const tokens = slots.reduce((sum, slot) => sum + slot.tokens, 0);
  expect(tokens).toBeGreaterThan(TOKENS);
  expect(tokens).toBeLessThan(TOKENS + 5000);
});

it('runs without another model wait as long as the provider of theirs asks', async () => {
  const tenMinutes = fault({ kind: 'status', status: 429, headers: { 'retry-after': '600' } });
  const before = model.requests.length;
  model.script(tenMinutes, text('first'), text('second'));
  const first = await kit.start(alone, { input: 'go' });
  await model.request(before + 1);
  const second = await kit.start(alone, { input: 'go' });
  expect(new Set([(await first.result()).data, (await second.result()).data])).toEqual(new Set(['first', 'second']));
  expect(model.requests).toHaveLength(before + 3);
});
