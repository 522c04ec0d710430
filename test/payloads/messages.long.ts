import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { FactPage } from '../../agent/protocol/facts/fact';
import type { ConversationHandle } from '../../client';
import { EMPTY_KINDS, GARBAGE, json, rawCalls, UNREADABLE_KINDS, USELESS_KINDS } from './raw';

const desk = defineAgent({ name: 'payload.desk', mode: 'conversation', instructions: 'Help.' });
const MESSAGES = [
  ...['send', 'steer', 'answer', 'interrupt', 'regenerate', 'undo', 'rename', 'close', 'approve', 'deny', 'edit'],
];
const SIGNALS = [...MESSAGES, 'toolResult', 'serviceAnswer'];
/** Commands that need no argument, and have an effect without one. */
const BARE = ['interrupt', 'regenerate', 'undo', 'close'];
const ALL = { ...UNREADABLE_KINDS, ...USELESS_KINDS, ...EMPTY_KINDS };

let kit: AgentTestEnvironment;
let raw: ReturnType<typeof rawCalls>;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk], server: 'dev' });
  raw = rawCalls(kit);
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Checks that the run answers, takes a message and ends, and that its history replays. */
async function goesOn(run: ConversationHandle<unknown>): Promise<void> {
  kit.model.script(text('still here'));
  await run.answerTo(await run.send('are you there?'));
  await run.close();
  expect((await run.result()).data).toBe('still here');
  await kit.replay(run);
}

async function ignoredBy({ id }: { id: string }) {
  const { facts } = await kit.client.temporal.workflow.getHandle(id).query<FactPage>('holdfast.facts');
  return facts.flatMap((fact) => (fact.type === 'message.ignored' ? [fact] : []));
}

const sum = (counts: { [why: string]: number }) => Object.values(counts).reduce((all, one) => all + one, 0);

it('counts a signal by name whose payload cannot be read, of every name and kind, and the run goes on', async () => {
  const run = await kit.start(desk, { input: null });
  let sent = 0;
  for (const name of SIGNALS) {
    const kinds = Object.keys(ALL).filter((kind) => !(BARE.includes(name) && kind in EMPTY_KINDS));
    await Promise.all(kinds.map((kind) => raw.signal(run.id, name, ALL[kind] ?? [])));
    sent += kinds.length;
  }
  await raw.signal(run.id, 'send', GARBAGE);
  const { ignored } = await run.state();
  expect(sum(ignored)).toBe(sent + 1);
  expect(ignored.UnreadablePayload).toBe(SIGNALS.length * Object.keys(UNREADABLE_KINDS).length + 1);
  expect((await ignoredBy(run)).map(({ detail }) => detail)).toContain(
    'The payload of the signal `send` cannot be read: nothing here reads its encoding `json/protobuf`; send JSON with ' +
      'the encoding `json/plain`; where payloads are encrypted, the worker needs the codec of the sender.',
  );
  await goesOn(run);
});

it('refuses an update by name whose payload cannot be read, of every name and kind, and the run goes on', async () => {
  const run = await kit.start(desk, { input: null });
  for (const name of MESSAGES) {
    for (const [kind, payloads] of Object.entries(ALL)) {
      if (BARE.includes(name) && kind in EMPTY_KINDS) continue;
      const failure = await raw.update(run.id, name, payloads);
      const type = failure?.applicationFailureInfo?.type;
      if (kind in UNREADABLE_KINDS) expect([name, kind, type]).toEqual([name, kind, 'UnreadablePayload']);
      else expect([name, kind, failure?.message]).toEqual([name, kind, expect.any(String)]);
    }
  }
  expect((await run.state()).ignored).toEqual({});
  await goesOn(run);
});

it('counts signals of unknown names by name, keeps 50 names, and refuses unknown updates and queries', async () => {
  const run = await kit.start(desk, { input: null });
  const strange = [
    '__temporal_x',
    '__stack_trace',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(900),
    ' ',
    'näme\n`',
  ];
  for (const name of strange) await raw.signal(run.id, name, []);
  for (const payloads of Object.values(ALL)) await raw.signal(run.id, 'approveAll', payloads);
  for (let i = 0; i < 60; i++) await raw.signal(run.id, `other-${i}`, []);
  const { ignored, unknownSignals = {} } = await run.state();
  const all = Object.keys(ALL).length;
  const unreadable = Object.keys(UNREADABLE_KINDS).length;
  expect(ignored).toEqual({ UnreadablePayload: unreadable, UnknownSignal: strange.length + all - unreadable + 60 });
  expect(Object.keys(unknownSignals)).toHaveLength(50);
  expect(unknownSignals).toMatchObject({ approveAll: all - unreadable, constructor: 1, 'other-1': 1 });
  expect(Object.keys(unknownSignals).every((name) => name.length <= 100)).toBe(true);

  for (const name of ['approveAll', '__temporal_x', '__proto__']) {
    for (const payloads of Object.values(ALL)) {
      expect((await raw.update(run.id, name, payloads))?.message).toMatch(/No registered handler for update/);
      await expect(raw.query(run.id, name, payloads)).rejects.toThrow(/did not register a handler/);
    }
  }
  await goesOn(run);
});

it('fails a query whose argument cannot be read, and nothing else', async () => {
  const run = await kit.start(desk, { input: null });
  for (const name of ['state', 'transcript', 'facts', 'pending', 'budget', 'pinned'].map((one) => `holdfast.${one}`)) {
    for (const payloads of Object.values(UNREADABLE_KINDS)) {
      await expect(raw.query(run.id, name, payloads)).rejects.toThrow(/The payload of the query `\S+` cannot be read/);
    }
    for (const payloads of Object.values({ ...USELESS_KINDS, ...EMPTY_KINDS })) await raw.query(run.id, name, payloads);
  }
  await goesOn(run);
});

it('takes signals from before the first task in order, whatever their names', async () => {
  await kit.stopWorker();
  const run = await kit.start(desk, { input: null });
  await raw.signal(run.id, 'nonsense', []);
  await raw.signal(run.id, 'rename', UNREADABLE_KINDS.encrypted ?? []);
  await raw.signal(run.id, 'send', json({ text: 'first' }));
  await raw.signal(run.id, 'close', []);
  await raw.signal(run.id, 'send', json({ text: 'too late' }));
  await kit.startWorker();
  kit.model.script(text('one answer'));
  expect(await run.result()).toMatchObject({ data: 'one answer', exchanges: 1 });
  expect((await run.state()).ignored).toEqual({ UnknownSignal: 1, UnreadablePayload: 1, RunEnded: 1 });
  await kit.replay(run);
});
