import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { askForLeases } from '../../activities/model/leases/ask-for-leases';
import { newGate } from '../gate';
import { ScriptedModel } from '../kit/scripted-model';
import { until } from '../until';
import { usageOf } from './usage-of';

const chain = defineAgent({ name: 'blocked.chain', model: ['limited', 'other'] });
const alone = defineAgent({ name: 'blocked.alone', model: 'limited' });
const inLine = defineAgent({ name: 'blocked.line', model: ['narrow', 'other'] });

let limited: ScriptedModel;
let other: ScriptedModel;
let kit: AgentTestEnvironment;
// An alias is blocked until its time has passed: each test begins with new ones.
beforeEach(async () => {
  limited = await new ScriptedModel().start();
  other = await new ScriptedModel().start();
  const at = { baseUrl: limited.url, model: 'm' };
  kit = await createAgentTestEnvironment({
    // A server that skips time would skip the wait of an alias, too.
    server: 'dev',
    agents: [chain, alone, inLine],
    models: {
      limited: { ...at, limits: { requestsPerMinute: 100 } },
      narrow: { ...at, limits: { concurrent: 1 } },
      other: { baseUrl: other.url, model: 'o' },
    },
  });
});
afterEach(async () => {
  await kit.close();
  await Promise.all([limited.close(), other.close()]);
});

const inUse = (alias: string) => usageOf(kit.temporal.client.workflow, alias);
const askedToWait = (seconds: number) =>
  fault({ kind: 'status', status: 429, headers: { 'retry-after': `${seconds}` } });

test('a chain moves on from a model whose provider asked another run to wait for longer than its patience', async () => {
  limited.script(askedToWait(3600));
  other.script(text('one'), text('two'));
  const first = await kit.start(chain, { input: 'go' });
  expect((await first.result()).data).toBe('one');
  const second = await kit.start(chain, { input: 'go' });
  expect((await second.result()).data).toBe('two');
  const { startTime, closeTime } = await second.workflow.describe();
  expect(Number(closeTime) - Number(startTime)).toBeLessThan(60_000);
  expect(limited.requests).toHaveLength(1);
  await kit.replay(second);
});

test('a call that is in line when its provider asks for a long wait moves on as well', async () => {
  const { open, opened } = newGate();
  limited.script(async () => {
    await opened;
    return askedToWait(3600);
  });
  other.script(text('one'), text('two'));
  const first = await kit.start(inLine, { input: 'go' });
  await limited.request(1);
  const second = await kit.start(inLine, { input: 'go' });
  await until(async () => (await inUse('narrow')).waiting === 1, 'the call in line');
  open();
  await Promise.all([first.result(), second.result()]);
  expect(other.requests).toHaveLength(2);
  expect(limited.requests).toHaveLength(1);
});

test('the call that a person asks for is made at once, and its answer ends the wait for all', async () => {
  limited.script(askedToWait(3600), text('first'), text('second'));
  const first = await kit.start(alone, { input: 'go' });
  const waits = async (run: typeof first) => (await run.state()).outage?.nextAt !== undefined;
  await until(() => waits(first), 'the run to wait');
  const second = await kit.start(alone, { input: 'go' });
  await until(() => waits(second), 'the other run to wait');
  expect(limited.requests).toHaveLength(1);
  await first.retry({ by: 'ann' });
  expect((await first.result()).data).toBe('first');
  await until(async () => (await inUse('limited')).blockedUntil === 0, 'the block to end');
  await second.retry();
  expect((await second.result()).data).toBe('second');
});

test('a worker of an earlier version, which does not know of blocks, waits in line', async () => {
  limited.script(askedToWait(3600));
  other.script(text('one'));
  await (await kit.start(chain, { input: 'go' })).result();
  const want = { id: 'early', interactive: false, tokens: 0, waited: 0, term: 1000 };
  const request = { limits: { requestsPerMinute: 100 }, wants: [want], settled: [] };
  const ask = (more: object) =>
    askForLeases(kit.temporal.client, 'limited', { ...request, ...more }, new AbortController().signal);
  expect(await ask({})).toEqual({ granted: [] });
  expect(await ask({ takesBlock: true })).toEqual({ granted: [], blocked: expect.any(Number) });
});
