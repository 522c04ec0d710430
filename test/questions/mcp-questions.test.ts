import { defineAgent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { fixture, newRecord } from '../activities/mcp/servers';
import { isAlive } from '../is-alive';
import { until } from '../until';

const record = newRecord();
const desk = defineAgent({
  name: 'test.desk',
  mcp: { ops: fixture('asking-server.mjs', [], { env: record.env }) },
  policies: { 'ops.register': { questionsExpire: '3d' } },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

interface Heard {
  pid: number;
  name: string;
  args: object;
  state?: string;
  answers?: object;
}
const heard = (): Heard[] =>
  record.lines().flatMap((line) => (line.startsWith('call ') ? [JSON.parse(line.slice(5))] : []));

async function begin(tool: string, args = {}): Promise<RunHandle<unknown>> {
  kit.model.script(call(`ops_${tool}`, args), text('done'));
  return (await kit.start(desk, { input: 'go' })) as RunHandle<unknown>;
}

/** The result of the call that the model was told. */
async function told(run: RunHandle<unknown>): Promise<string> {
  await run.result();
  const [part] = (await run.transcript()).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool_result'));
  return part?.type === 'tool_result'
    ? part.content.map((one) => (one.type === 'text' ? one.text : '')).join('\n')
    : '';
}

test('a tool that asks continues after 20 days, in a new process of its server, with its state', async () => {
  const before = heard().length;
  const run = await begin('deploy', { env: 'live' });
  const {
    questions: [asked],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(asked).toMatchObject({
    questionId: 't1.1',
    toolUseId: 't1.1',
    tool: 'ops.deploy',
    question: 'Deploy to live?',
    suggestions: ['yes', 'no'],
    schema: { properties: { sure: { type: 'boolean' } } },
  });
  await kit.skip('20d');
  const { pid } = heard().at(-1) as Heard;
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'the end of the server');
  await run.answer('t1.1', 'yes', { by: 'ann' });
  const {
    questions: [more],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(more).toMatchObject({ questionId: 't1.1/2', question: 'When?' });
  await expect(run.answer('t1.1/2', { day: 'Sunday', hour: 7 })).rejects.toMatchObject({ type: 'InvalidReply' });
  await run.answer('t1.1/2', { day: 'friday', hour: '7' }, { by: 'bob' });
  expect(await told(run)).toBe('live on Friday at 7');
  const [first, second, third] = heard().slice(before) as [Heard, Heard, Heard];
  expect([first.state, second.state, third.state]).toEqual([undefined, 'live ✓ {"n":1}\n', 'live ✓ {"n":1}\ntwo']);
  expect([second.args, third.args]).toEqual([{ env: 'live' }, { env: 'live' }]);
  expect(second.answers).toEqual({ sure: { action: 'accept', content: { sure: true } } });
  expect(second.pid).not.toBe(first.pid);
  expect(heard().slice(before)).toHaveLength(3);
  const { events = [] } = await kit.history(run);
  const calls = events?.map((event) => event.activityTaskScheduledEventAttributes?.activityId);
  expect(calls?.filter((id) => id?.startsWith('t'))).toEqual(['t1.1', 't1.1-2', 't1.1-3']);
  expect(await run.toolResult('t1.1')).toEqual([{ type: 'text', text: 'live on Friday at 7' }]);
  await kit.replay(run);
});

test('the server is told when a question gets no answer in time', async () => {
  const before = heard().length;
  const run = await begin('register');
  await run.waiting({ atLeast: { questions: 2 } });
  await kit.skip('4d');
  await run.result();
  expect(JSON.stringify(heard().at(-1)?.answers)).toContain('"action":"cancel"');
  expect(heard()).toHaveLength(before + 2);
});

test('several things are asked at once, and the server is told who declined', async () => {
  const run = await begin('register');
  const asked = (await run.waiting({ atLeast: { questions: 2 } })).questions;
  expect(asked.map(({ questionId, url }) => [questionId, url])).toEqual([
    ['t1.1', 'https://example.com/login?for=1'],
    ['t1.1/2', undefined],
  ]);
  await run.decline('t1.1/2', { by: 'ann', reason: 'no time' });
  await run.answer('t1.1', 'done');
  expect(JSON.parse(await told(run))).toEqual({ visit: { action: 'accept' }, note: { action: 'decline' } });
  await kit.replay(run);
});

test('a server that keeps asking is not called without limit', async () => {
  const run = await begin('endless');
  for (let n = 1; n <= 10; n++) {
    const {
      questions: [asked],
    } = await run.waiting({ atLeast: { questions: 1 } });
    expect(asked?.questionId).toBe(n === 1 ? 't1.1' : `t1.1/${n}`);
    await run.answer(asked as { questionId: string }, 'more');
  }
  expect(await told(run)).toMatch(/`ops_endless` asked a person 10 times and asks again/);
});

test('a server that dies after an answer leaves the outcome unknown, and is not called again', async () => {
  const run = await begin('dies');
  await run.waiting({ atLeast: { questions: 1 } });
  await run.answer('t1.1', 'yes');
  expect(await told(run)).toMatch(/^It is unknown whether `ops_dies` took effect/);
  expect(heard().filter(({ name }) => name === 'dies')).toHaveLength(2);
});

test('a run that is cancelled while a server waits ends, and its call certainly had no effect', async () => {
  const run = await begin('deploy', { env: 'stage' });
  await run.waiting({ atLeast: { questions: 1 } });
  const calls = heard().length;
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  const facts = [];
  for await (const event of run.events()) if ('seq' in event) facts.push(event);
  expect(facts).toContainEqual(expect.objectContaining({ type: 'question.withdrawn', questionId: 't1.1' }));
  expect(facts).toContainEqual(
    expect.objectContaining({ type: 'tool.error', error: expect.objectContaining({ type: 'ToolCancelled' }) }),
  );
  expect(heard()).toHaveLength(calls);
});

test('a message before the answer withdraws the question, and the server is told of the cancel', async () => {
  kit.model.script(call('ops_deploy', { env: 'live' }), text('as you like'));
  const run = (await kit.start(desk, { input: 'go' })) as RunHandle<unknown>;
  await run.waiting({ atLeast: { questions: 1 } });
  await run.steer('leave that', { when: 'now' });
  expect(await told(run)).toBe('nothing: {"sure":{"action":"cancel"}}');
});
