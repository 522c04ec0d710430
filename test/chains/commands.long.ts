import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { agentService, defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { endOf, expectWhole, plain } from '../services/stage';
import { until } from '../until';
import { move, newest, tell } from './move';

const done: string[] = [];
const put = defineTool({
  description: 'puts',
  inputSchema: z.object({ what: z.string() }),
  execute: ({ what }) => void done.push(`put ${what}`),
  undo: ({ what }) => void done.push(`take ${what}`),
});
const services = { ask: signalService(plain, '1.0.0') };
const talk = defineAgent({ name: 'test.talk', mode: 'conversation', tools: { put }, services });
const helper = defineAgent({ name: 'test.helper', services });
const boss = defineAgent({ name: 'test.boss', services: { ...services, helper: agentService(helper) } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=100'];
  kit = await createAgentTestEnvironment({ agents: [talk, helper, boss], server: 'dev', serverSettings });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  done.length = 0;
});

type Script = Parameters<AgentTestEnvironment['model']['script']>;
const begin = async (agent: typeof talk | typeof boss, ...script: Script) => {
  kit.model.script(...script);
  return (await kit.start(agent as typeof talk, { input: 'go' })) as RunHandle<unknown>;
};
const idle = (run: RunHandle<unknown>) => until(async () => (await run.state()).idle, 'an idle conversation');
const histories = async (run: RunHandle<unknown>) => (await kit.histories(run)).length;
const close = async (run: RunHandle<unknown>) => {
  await tell(kit, run, 'close');
  await endOf(run);
  await expectWhole(kit, run);
};
/** The agent that works for a run, when it waits for a service. */
async function helperOf(run: RunHandle<unknown>): Promise<RunHandle<unknown>> {
  let id: string | undefined;
  await until(async () => {
    id = (await run.waiting()).services.find(({ kind }) => kind === 'signal')?.id;
    return id !== undefined;
  }, 'the helper');
  return kit.client.get(id ?? '') as RunHandle<unknown>;
}

/** What an update with this id returns, or the type of the error that it fails with. */
const told = (run: RunHandle<unknown>, name: string, updateId: string, payload: object) =>
  tell(kit, run, name, payload, updateId).then(
    (answer) => answer ?? 'nothing',
    (error: unknown) => {
      if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
        return error.cause.type;
      }
      throw error;
    },
  );

test('a command that is repeated in the next histories is applied once, and answered as before', async () => {
  const run = await begin(talk, call('put', { what: 'a' }), text('one'), text('two'));
  await idle(run);
  const commands = [
    () => told(run, 'undo', 'u1', { count: 1 }),
    () => told(run, 'send', 'u2', { text: 'again' }),
    () => told(run, 'interrupt', 'u3', { by: 'ann' }),
    () => told(run, 'rename', 'u4', { title: 'x' }),
  ];
  const answers: unknown[] = [];
  for (const one of commands) {
    answers.push(await one());
    await idle(run);
  }
  expect(answers[2]).toBe('NothingToInterrupt');
  for (let i = 0; i < 2; i++) {
    await move(kit, run, false);
    for (const [n, one] of commands.entries()) expect(await one()).toEqual(answers[n]);
  }
  expect(done).toEqual(['put a', 'take a']);
  expect(kit.model.requests).toHaveLength(3);
  await close(run);
  expect(await factsOf(run, 'message.received')).toHaveLength(1);
  expect(await factsOf(run, 'run.renamed')).toHaveLength(1);
});

test.each<[string, (run: RunHandle<unknown>, n: number) => Promise<unknown>]>([
  ['commands', (run, n) => run.rename(`title ${n}`)],
  ['repeated commands', (run, n) => told(run, 'rename', `again-${n % 40}`, { title: 'again' })],
  ['unknown signals', (run, n) => run.workflow.signal(`strange${n}`, {})],
  ['invalid signals', (run) => run.workflow.signal('send', { strange: 1 })],
])('a conversation that only waits moves by itself after many %s', async (_, say) => {
  const run = await begin(talk, text('one'));
  await idle(run);
  let n = 0;
  const seen = new Set<string>();
  await until(async () => {
    await Promise.all(Array.from({ length: 10 }, () => say(run, n++)));
    // It looks a second after 32 of them: more than that only makes its histories long.
    await delay(150);
    return seen.add(await newest(run)).size > 2;
  }, 'two moves');
  await close(run);
});

test('a cancel at any time around a move ends the run in order', async () => {
  const ends = [0, 900, 1000, 1030, 1060, 1100, 1200].map(async (ms, i) => {
    const run = await begin(talk, calls(['ask', { sku: 'a' }], ['ask', { sku: 'b' }]));
    await run.waiting({ atLeast: { services: 2 } });
    await run.continueAsNew();
    await delay(ms + i);
    await run.cancel();
    expect(await endOf(run)).toBe('Cancelled');
    expect(await factsOf(run, 'tool.error')).toHaveLength(2);
    await expectWhole(kit, run);
  });
  await Promise.all(ends);
});

test('an undo at any time around a move is done once', async () => {
  const whats = [0, 900, 1000, 1030, 1060, 1100].map((ms) => ({ ms, what: `w${ms}` }));
  for (const { ms, what } of whats) {
    const run = await begin(talk, call('put', { what }), text('one'));
    await idle(run);
    await run.continueAsNew();
    await delay(ms);
    await run.undo(1, { by: 'ann' });
    expect(done.filter((one) => one === `take ${what}`)).toHaveLength(1);
    await close(run);
    expect(await factsOf(run, 'undo.done')).toHaveLength(1);
  }
});

test('messages and queries at any time around moves: each message is taken once, and no query fails', async () => {
  const run = await begin(talk, text('hello'));
  await idle(run);
  let over = false;
  const reading = async () => {
    for (let n = 1; !over; n++) {
      const [state, messages, waiting] = await Promise.all([run.state(), run.transcript(), run.waiting()]);
      expect(state).toMatchObject({ mode: 'conversation', agent: 'test.talk', status: 'running' });
      expect(messages.length).toBeGreaterThanOrEqual(2);
      expect(waiting.approvals).toEqual([]);
      if (n > 5000) return;
    }
  };
  const readers = [reading(), reading()];
  const texts = Array.from({ length: 30 }, (_, i) => `m${i}`);
  kit.model.script(...texts.map((one) => text(`re ${one}`)));
  for (const [i, one] of texts.entries()) {
    if (i % 5 === 0) await run.continueAsNew();
    await Promise.all([run.send(one), delay(i * 17)]);
  }
  await until(async () => (await run.state()).queued === 0 && (await run.state()).idle, 'all answers');
  over = true;
  await Promise.all(readers);
  const said = (await run.transcript()).flatMap(({ role, parts }) =>
    role === 'user' && parts[0]?.type === 'text' ? [parts[0].text] : [],
  );
  expect(said).toEqual(['go', ...texts]);
  expect(await histories(run)).toBeGreaterThan(3);
  await close(run);
});

test('a child that works delays the move; afterwards the run moves by itself', async () => {
  const run = await begin(boss, call('helper', { message: 'help' }), call('ask', { sku: 'h' }));
  const helping = await helperOf(run);
  const before = await newest(run);
  await run.continueAsNew();
  await delay(2000);
  expect(await newest(run)).toBe(before);
  // The child itself may move, and its parent waits for its last history.
  await move(kit, helping, false);
  kit.model.script(text('helped'), call('ask', { sku: 'b' }), text('done'));
  await helping.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 7 } });
  await until(async () => (await newest(run)) !== before, 'the move');
  await until(async () => (await run.waiting()).services.length === 1, 'the next call');
  await run.workflow.signal('toolResult', { toolUseId: 't2.1', data: { left: 8 } });
  expect(await endOf(run)).toBe('done');
  expect(await factsOf(run, 'run.continued')).toMatchObject([{ why: 'asked' }]);
  expect((await helping.state()).delegatedBy?.lineage).toEqual(['test.boss']);
  await expectWhole(kit, run);
  await expectWhole(kit, helping);
});

test('a child that has moved is cancelled with its parent', async () => {
  const run = await begin(boss, call('helper', { message: 'help' }), call('ask', { sku: 'h' }));
  const helping = await helperOf(run);
  await move(kit, helping, false);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  expect(await endOf(helping)).toBe('Cancelled');
  await expectWhole(kit, helping);
});
