import { defineAgent, defineTool } from 'holdfast';
import {
  type AgentTestEnvironment,
  calls,
  createAgentTestEnvironment,
  fault,
  ScriptedModel,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import { until } from '../../until';
import { newest } from '../move';

const look = defineTool({
  description: 'Looks',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: ({ n }) => `seen ${n}`,
});
const task = defineAgent({ name: 'outlast.task', tools: { look }, limits: { maxToolInteractions: 2 } });
const chat = defineAgent({ name: 'outlast.chat', mode: 'conversation' });

let kit: AgentTestEnvironment;
let other: ScriptedModel;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=60'];
  other = await new ScriptedModel().start();
  kit = await createAgentTestEnvironment({
    agents: [task, chat],
    server: 'dev',
    serverSettings,
    models: { other: { baseUrl: other.url, model: 'other' } },
  });
});
afterAll(() => Promise.all([kit.close(), other.close()]));
afterEach(() => kit.model.reset());

/** The run waits from the first failure on. */
const down = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });

interface Waiting {
  state(): Promise<{ outage?: { nextAt?: number; failures: number } }>;
  retry(): Promise<void>;
}

/** Scripts a model that is down for `times` calls. */
function script(times: number, ...then: Parameters<typeof kit.model.script>): void {
  kit.model.script(...Array.from({ length: times }, () => down), ...then);
}

/** Asks the model again after each of its failures. */
async function askAgain(run: Waiting, times: number): Promise<void> {
  for (let n = 1; n <= times; n++) {
    await untilFailure(run, n);
    await run.retry();
  }
}

async function untilFailure(run: Waiting, n: number): Promise<void> {
  await until(async () => {
    const { outage } = await run.state();
    return outage?.nextAt !== undefined && outage.failures === n;
  }, `failure ${n}`);
}

test('a run that waits for its model goes on in new histories, in the turn and with the patience that it had', async () => {
  kit.model.script(calls(['look', { n: 1 }]));
  script(20, text('Back.'));
  const run = await kit.start(task, { input: 'go' });
  await askAgain(run, 20);
  expect((await run.result()).data).toBe('Back.');
  const facts = await factsOf(run);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  expect(facts.filter(({ type }) => type === 'run.continued').length).toBeGreaterThan(2);
  expect(facts.flatMap((fact) => (fact.type === 'loop.iteration' ? [fact.turn] : []))).toEqual([1, 2]);
  const attempts = facts.flatMap((fact) => (fact.type === 'model.waiting' ? [fact.attempt] : []));
  expect(attempts).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(await run.state()).toMatchObject({ turn: 2, toolInteractions: { current: 2 } });
  const { events } = await kit.history(run);
  expect(events?.length).toBeLessThan(120);
  await kit.replay(run);
});

test('a conversation keeps what was sent to it meanwhile, and is interrupted as before', async () => {
  script(12, text('Then this.'));
  const run = kit.conversation(chat, { id: 'outlasts' });
  const first = await run.send('Hello?');
  const began = await newest(run);
  await askAgain(run, 10);
  await untilFailure(run, 11);
  const second = await run.send('And then?');
  await run.steer('Be brief.', { when: 'queue' });
  expect(await newest(run)).not.toBe(began);
  await run.interrupt({ by: 'ann' });
  expect(await run.answerTo(first).catch((error: unknown) => error)).toMatchObject({ reason: 'interrupted' });
  await untilFailure(run, 1);
  await run.retry();
  expect((await run.answerTo(second)).data).toBe('Then this.');
  const { turn, outage } = await run.state();
  expect({ turn, outage }).toEqual({ turn: 1, outage: undefined });
  await run.close();
  await run.result();
  await kit.replay(run);
});

test('an answer without tools is asked for again without tools', async () => {
  kit.model.script(calls(['look', { n: 1 }]), calls(['look', { n: 2 }]));
  script(12, text('Enough.'));
  const run = await kit.start(task, { input: 'go' });
  await askAgain(run, 12);
  expect((await run.result()).data).toBe('Enough.');
  const facts = await factsOf(run);
  const last = facts.findLastIndex(({ type }) => type === 'loop.iteration');
  expect(facts[last]).toMatchObject({ turn: 3, last: true });
  // The last history begins after that.
  expect(facts.findLastIndex(({ type }) => type === 'run.continued')).toBeGreaterThan(last);
  const { body } = kit.model.requests.at(-1) ?? {};
  expect(body?.tool_choice ?? 'none').toBe('none');
  const concluding = JSON.stringify(body?.messages);
  expect(concluding.match(/seen 2/g)).toHaveLength(1);
  await kit.replay(run);
});

test('a person can switch the model, and ask for a new history', async () => {
  script(2);
  const run = await kit.start(task, { input: 'go' });
  await untilFailure(run, 1);
  const began = await newest(run);
  await run.continueAsNew();
  await until(async () => {
    const { events } = await kit.history(run);
    return (events ?? []).some(({ timerFiredEventAttributes: fired }) => fired);
  }, 'the run to note it');
  await run.retry();
  await untilFailure(run, 2);
  expect(await newest(run)).not.toBe(began);
  other.script(text('From the other.'));
  await run.switchModel('other');
  expect((await run.result()).data).toBe('From the other.');
  await kit.replay(run);
});
