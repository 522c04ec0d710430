import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent } from 'holdfast';
import type { ConversationHandle, RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { ARCHIVE } from '../../agent/protocol/entities/archive';
import { readExported } from '../../cli/export/exported';
import { viewRun } from '../../cli/show/run';
import { move, newest } from '../chains/move';
import { factsOf } from '../facts';
import { until } from '../until';
import { encrypting, Place } from './place';

const desk = defineAgent({ name: 'archive.desk', mode: 'conversation' });
const place = new Place();
const storage = { folder: place.dir, archive: true };

/** Tokens: two long messages, so that the others stay in the history in which they were said. */
const WINDOW = 16_000;
/** A message of 24 KB. */
const long = (word: string) => `${word} `.repeat(24_000 / (word.length + 1));

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const temporal = { dataConverter: { payloadCodecs: [encrypting] } };
  // The server deletes a history only when it has noted that nothing is left to do for it.
  const serverSettings = [
    'history.transferProcessorUpdateAckInterval="1s"',
    'history.visibilityProcessorUpdateAckInterval="1s"',
  ];
  kit = await createAgentTestEnvironment({
    agents: [desk],
    server: 'dev',
    contextWindow: WINDOW,
    serverSettings,
    storage,
    temporal,
  });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

type Talk = ConversationHandle<unknown>;

async function say(talk: Talk, said: string): Promise<void> {
  kit.model.script(text(`noted ${said}`));
  await talk.answerTo(await talk.send(said));
}

/** A conversation with a message in each of its histories. Returns Temporal's ids of all but the last. */
async function talkOf(id: string, ...said: string[]): Promise<{ talk: Talk; left: string[] }> {
  const talk = kit.conversation(desk, { id }) as Talk;
  const left: string[] = [];
  for (const [n, one] of said.entries()) {
    await say(talk, one);
    if (n === said.length - 1) break;
    left.push(await newest(talk));
    await move(kit, talk as RunHandle<unknown>, false);
  }
  return { talk, left };
}

const kept = (runId: string) => kit.client.temporal.workflow.getHandle(ARCHIVE.idOf(runId)).result();

/** As the server does after the retention period. */
async function forget(id: string, runIds: readonly string[]): Promise<void> {
  const { workflow, workflowService, options } = kit.client.temporal;
  const { namespace } = options;
  for (const runId of runIds) {
    await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId: id, runId } });
  }
  const isGone = (runId: string) =>
    workflow
      .getHandle(id, runId)
      .describe()
      .then(
        () => false,
        () => true,
      );
  for (const runId of runIds) await until(() => isGone(runId), 'the deletion of a history');
}

it('reads facts and messages of histories that the server has deleted, each once and in order', async () => {
  const { talk, left } = await talkOf('long', ...['one', 'two', 'three', 'four', 'five', 'six'].map(long));
  const facts = await factsSoFar(talk);
  const messages = await talk.transcript();
  for (const runId of left) expect(await kept(runId)).toBe(true);
  await kit.replay(talk as RunHandle<unknown>);
  await forget('long', left);
  expect(await factsSoFar(talk)).toEqual(facts);
  expect(await talk.transcript()).toEqual(messages);
  expect(await talk.transcript({ from: 2 })).toEqual(messages.slice(2));
  await talk.close();
  await talk.result();
  const all = await factsOf(talk as RunHandle<unknown>);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
});

it('keeps the last history of a run, too, and deletes all with the run', async () => {
  const { talk, left } = await talkOf('short', 'one', 'two');
  await talk.close();
  await talk.result();
  const histories = [...left, await newest(talk)];
  for (const runId of histories) expect(await kept(runId)).toBe(true);
  const places = () => place.names().filter((name) => histories.includes(name));
  expect(places().sort()).toEqual(histories.sort());
  await kit.client.delete('short');
  expect(places()).toEqual([]);
});

it('marks a gap where the archive does not have a history either', async () => {
  const { talk, left } = await talkOf('gap', ...['one', 'two', 'three', 'four', 'five'].map(long));
  await Promise.all(left.map(kept));
  place.remove(left[0] ?? '');
  await forget('gap', left);
  expect((await factsSoFar(talk)).map(({ type }) => type)).toContain('facts.missing');
  expect(JSON.stringify((await talk.transcript())[0])).toContain('can no longer be read');
  await talk.cancel();
});

it('waits while the storage is away, without the run, and loses nothing', async () => {
  const talk = kit.conversation(desk, { id: 'away' }) as Talk;
  await say(talk, 'one');
  const runId = await newest(talk);
  const away = `${place.dir}-away`;
  renameSync(place.dir, away);
  try {
    await move(kit, talk as RunHandle<unknown>, false);
    await say(talk, 'two');
    const handle = kit.client.temporal.workflow.getHandle(ARCHIVE.idOf(runId));
    await until(async () => {
      const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
      return (pending?.lastFailure?.message ?? '').includes('cannot be used');
    }, 'a failed attempt');
    expect(existsSync(join(place.dir, 'archive'))).toBe(false);
  } finally {
    renameSync(away, place.dir);
  }
  expect(await kept(runId)).toBe(true);
  const facts = await factsSoFar(talk);
  await forget('away', [runId]);
  expect(await factsSoFar(talk)).toEqual(facts);
  await talk.cancel();
});

it('reads a run that the server has deleted as a whole', async () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const { talk, left } = await talkOf('gone', ...words.map(long));
  await talk.close();
  await talk.result();
  const run = talk as RunHandle<unknown>;
  const histories = [...left, await newest(run)];
  for (const runId of histories) expect(await kept(runId)).toBe(true);
  const read = async () => ({
    facts: await factsOf(run),
    late: await factsOf({ facts: () => run.facts({ after: 7 }) }),
    messages: await talk.transcript(),
    chat: await talk.transcript({ form: 'openai' }),
    state: await talk.state(),
    waiting: await talk.waiting(),
    shown: (await viewRun(kit.client.temporal, 'gone', { workerTimeout: 20_000 })).run,
    exported: await readExported(kit.client.temporal, 'gone', { workerTimeout: 20_000, full: true }),
  });
  const before = await read();
  expect(before.exported.facts).toEqual(before.facts);
  await forget('gone', histories);
  expect(await read()).toEqual(before);
  await kit.client.delete('gone');
  expect(place.names().filter((name) => histories.some((runId) => name.includes(runId)))).toEqual([]);
  await expect(kit.client.delete('gone')).rejects.toMatchObject({ type: 'RunNotFound' });
  await expect(talk.state()).rejects.toMatchObject({ type: 'RunNotFound' });
  const never = viewRun(kit.client.temporal, 'never', { workerTimeout: 20_000 });
  await expect(never).rejects.toMatchObject({ type: 'RunNotFound' });
});

/** The facts of a run that waits. */
async function factsSoFar(talk: Talk) {
  const done = new AbortController();
  const facts = [];
  const { facts: last } = await talk.state();
  for await (const fact of talk.facts({ signal: done.signal })) {
    facts.push(fact);
    if (fact.seq >= last) break;
  }
  return facts.map((fact) => (fact.type === 'facts.missing' ? { ...fact, time: 0 } : fact));
}
