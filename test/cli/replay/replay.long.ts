import type { PayloadCodec } from '@temporalio/common';
import { temporal as proto } from '@temporalio/proto';
import { defineAgent } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, Replayer, text } from 'holdfast/testing';
import { makeManifest } from '../../../activities/context/make-manifest';
import { type ReplayOptions, replay } from '../../../cli/replay/replay';
import { type PlainWorker, startPlainWorker } from '../../services/plain-worker';
import { until } from '../../until';
import { type Project, projectOf } from '../project';
import { said } from '../said';

const { Payload } = proto.api.common.v1;

const desk = defineAgent({ name: 'replayed.desk', mode: 'conversation', instructions: 'Help.' });
const task = defineAgent({ name: 'replayed.task' });

/** Puts each payload into another one, with an encoding of its own. */
const hiding: PayloadCodec = {
  encode: async (payloads) =>
    payloads.map((payload) => ({
      metadata: { encoding: Buffer.from('binary/hidden') },
      data: Payload.encode(payload).finish(),
    })),
  decode: async (payloads) => payloads.map(({ data }) => Payload.decode(data ?? new Uint8Array())),
};

let kit: AgentTestEnvironment;
let project: Project;
let plain: PlainWorker;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, task], server: 'dev' });
  project = projectOf(kit);
  const manifest = makeManifest(task.definition, [], { searchAttributes: false });
  const activities = {
    'holdfast.describeAgent': async () => ({ manifest, hash: 'none' }),
    'holdfast.readPrompt': async () => null,
    'orders.ship': async () => null,
  };
  plain = await startPlainWorker(kit, 'older', { activities });
});
afterAll(async () => {
  await plain.stop();
  await kit.close();
  project.remove();
});
afterEach(() => kit.model.reset());

const replayed = (ids: readonly string[] = [], options: ReplayOptions = {}) =>
  said(() => replay(ids, { config: project.config, ...options }));
const runIdOf = async (id: string) => (await kit.client.temporal.workflow.getHandle(id).describe()).runId;

/** A conversation that has gone on in a new history, and answered there. */
async function continued(id: string): Promise<ConversationHandle<unknown>> {
  kit.model.script(text('one'), text('two'));
  const run = kit.conversation(desk, { id, input: null });
  await run.answerTo(await run.send('first'));
  const first = await runIdOf(id);
  await run.continueAsNew();
  await until(async () => (await runIdOf(id)) !== first, 'the new history');
  await run.answerTo(await run.send('second'));
  return run;
}

/** Starts a workflow of the plain worker, and waits until it has scheduled all that it schedules. */
async function startOlder(type: string, events: number): Promise<string> {
  const id = `${type}-1`;
  const run = await kit.client.temporal.workflow.start(type, {
    workflowId: id,
    taskQueue: 'older',
    args: [{ input: 'go' }],
  });
  await until(async () => ((await run.fetchHistory()).events ?? []).length >= events, `${type} to have its events`);
  return id;
}

test('without a run there is nothing to replay, and that is said', async () => {
  const none = 'No history was found, so nothing was replayed.\n';
  expect(await replayed()).toEqual({ code: 0, out: none, err: '' });
});

test('histories of open and ended runs replay, those of each Temporal run of a chain included', async () => {
  await continued('chain');
  kit.model.script(text('done'));
  const ended = await kit.start(task, { id: 'ended', input: 'go' });
  await ended.result();
  await startOlder('orders.foreign', 11);
  await until(async () => (await kit.client.sessions({})).length >= 2, 'the runs to be listed');
  expect(await replayed()).toEqual({ code: 0, out: '3 histories of 2 runs replay.\n', err: '' });
  expect(await replayed(['chain'])).toMatchObject({ code: 0, out: '2 histories of 1 run replay.\n' });
  expect((await replayed([], { json: true })).out).toBe(
    `${JSON.stringify({ type: 'summary', histories: 3, runs: 2, failed: 0, deleted: 0, more: false, interrupted: false })}\n`,
  );
});

test('a limit ends the search, and says so', async () => {
  const { out } = await replayed([], { limit: 1 });
  expect(out).toMatch(/of 1 run replays?\.\nThere are more runs: `--limit 1` ended the search\./);
});

test('runs that ended before the time are left out, open ones are not', async () => {
  expect((await replayed([], { since: new Date() })).out).toBe('2 histories of 1 run replay.\n');
});

test('a run that does not replay is named, with the event, the reason and what to do', async () => {
  const timer = await startOlder('older.timer', 11);
  const [activity, runId] = [await startOlder('older.activity', 17), await runIdOf('older.activity-1')];
  const { code, out } = await replayed([timer, activity]);
  expect(code).toBe(1);
  const lines = out.trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(
      /^✗ older\.timer-1 \S{36} older\.timer: differs at event 11: the history has TimerStarted there, and the code schedules an activity → the run is open: /,
    ),
    expect.stringContaining(
      `✗ older.activity-1 ${runId} older.activity: differs at event 11: the history schedules the activity \`holdfast.readPrompt\` there, and the code schedules \`holdfast.buildContext\` → the run has ended: `,
    ),
    '0 histories of 2 runs replay; 2 do not.',
  ]);
  const [first] = (await replayed([activity], { json: true })).out.split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({ type: 'failed', run: activity, runId, open: false, event: 11 });
});

test('bad input gets a clear error', async () => {
  await expect(replayed(['missing'])).rejects.toMatchObject({ type: 'RunNotFound' });
  await kit.client.temporal.workflow.start('plain', { workflowId: 'plain-1', taskQueue: 'unused' });
  await expect(replayed(['plain-1'])).rejects.toThrow('`plain-1` is not a run of an agent: it is the workflow `plain`');
  const both = await replayed(['chain'], { limit: 3 });
  expect(both).toMatchObject({ code: 2, out: '', err: expect.stringContaining('not both') });
});

test('Ctrl-C ends it with what was found until then', async () => {
  // Those of the workers of this process.
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  const running = replayed();
  process.emit('SIGINT');
  for (const other of others) process.on('SIGINT', other);
  expect(await running).toMatchObject({ code: 130, out: expect.stringMatching(/^Interrupted\. Until then:\n/) });
});

test('a history with encoded payloads needs its codecs', async () => {
  const temporal = { dataConverter: { payloadCodecs: [hiding] } };
  const hidden = await createAgentTestEnvironment({ agents: [task], server: 'dev', temporal });
  const hiddenProject = projectOf(hidden);
  try {
    hidden.model.script(text('done'));
    const run = await hidden.start(task, { id: 'hidden', input: 'go' });
    await run.result();
    const { code, out } = await said(() => replay(['hidden'], { config: hiddenProject.config }));
    expect(code).toBe(1);
    expect(out).toContain('its payloads are encoded as `binary/hidden`, and the command line has no codecs');
    await hidden.replay(run);
    const recorded = { workflowId: run.id, history: await hidden.history(run) };
    const replayer = new Replayer({ temporal });
    await replayer.replay(recorded);
    await replayer.close();
  } finally {
    await hidden.close();
    hiddenProject.remove();
  }
});
