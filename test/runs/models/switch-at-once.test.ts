import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { factsOf } from '../../facts';
import { newGate } from '../../gate';
import { ScriptedModel } from '../../kit/scripted-model';
import { until } from '../../until';

const plain = defineAgent({ name: 'switch-at-once.plain' });
const chat = defineAgent({ name: 'switch-at-once.chat', mode: 'conversation' });
const spare = new ScriptedModel();
let kit: AgentTestEnvironment;
beforeAll(async () => {
  await spare.start();
  const models = { spare: { baseUrl: spare.url, model: 'spare', apiKey: 'none' } };
  kit = await createAgentTestEnvironment({ agents: [plain, chat], server: 'dev', models });
});
afterEach(() => {
  kit.model.reset();
  spare.reset();
});
afterAll(async () => {
  await kit.close();
  await spare.close();
});

/** The server asks for longer than these tests may take, and for less than the minute of the activity. */
const later = fault({ kind: 'status', status: 429, headers: { 'retry-after': '50' } });

/** The model call waits for its next attempt. */
const callWaits = (run: { id: string }) =>
  until(async () => {
    const { raw } = await kit.temporal.client.workflow.getHandle(run.id).describe();
    const [call] = raw.pendingActivities ?? [];
    return call?.state === 1 && (call.attempt ?? 1) > 1;
  }, 'the first attempt to fail');

test('while the activity itself retries, the chosen model is asked at once, in the same turn', async () => {
  kit.model.script(later);
  spare.script(text('From the spare.'));
  const run = await kit.start(plain, { input: 'go' });
  await callWaits(run);
  const began = Date.now();
  expect(await run.switchModel('spare', { by: 'ann' })).toEqual({ from: 'default', to: 'spare', changed: true });
  expect((await run.result()).data).toBe('From the spare.');
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(kit.model.requests).toHaveLength(1);
  const state = await run.state();
  expect(state).toMatchObject({ turn: 1, model: 0, models: ['spare'], toolInteractions: { current: 1 } });
  expect((await factsOf(run)).map(({ type }) => type)).not.toContain('text.withdrawn');
  await kit.replay(run);
});

test('what the failed attempts of the call have cost is counted, although no worker ends it', async () => {
  kit.model.script(fault({ kind: 'cut', after: 8 }, { text: 'Hello world', chunkSize: 8 }), later);
  spare.script(text('From the spare.'));
  const run = await kit.start(plain, { input: 'go' });
  await kit.model.request(2);
  await callWaits(run);
  await run.switchModel('spare');
  await run.result();
  const usage = (await factsOf(run)).filter((fact) => fact.type === 'usage');
  expect(usage).toMatchObject([
    { usage: { prompt: expect.any(Number), completion: 2, estimated: true } },
    { model: 'spare' },
  ]);
  expect((await run.state()).usage.prompt).toBeGreaterThan(usage[1]?.usage.prompt ?? 0);
  await kit.replay(run);
});

test('in a conversation by a signal, and the message is answered once', async () => {
  kit.model.script(later);
  spare.script(text('From the spare.'), text('Again.'));
  const talk = kit.conversation(chat, { id: 'switch-at-once-chat' });
  const said = await talk.send('Hello');
  await callWaits(talk);
  await kit.temporal.client.workflow.getHandle(talk.id).signal('switchModel', { model: 'spare', by: 'ann' });
  expect(await talk.answerTo(said)).toMatchObject({ data: 'From the spare.' });
  const [asked] = spare.requests;
  expect(asked?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  await talk.close();
  await talk.result();
  await kit.replay(talk);
});

test('an attempt that is being made is finished first, and its answer counts', async () => {
  const { open, opened } = newGate();
  kit.model.script(fault({ kind: 'status', status: 503 }), async () => {
    await opened;
    return text('From the first.');
  });
  const run = await kit.start(plain, { input: 'go' });
  await kit.model.request(2);
  expect(await run.switchModel('spare')).toMatchObject({ changed: true });
  open();
  expect((await run.result()).data).toBe('From the first.');
  expect(spare.requests).toHaveLength(0);
  await kit.replay(run);
});
