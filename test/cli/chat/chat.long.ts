import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { serveBus } from '../../../runtime/bus/socket-bus-worker';
import { newGate } from '../../gate';
import { MAIN, RUN_TS } from '../../sources';
import { until } from '../../until';
import { type Project, projectOf } from '../project';

const pay = defineTool({
  description: 'Pay',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }) => `paid ${amount}`,
});
const desk = defineAgent({
  name: 'shop.desk',
  mode: 'conversation',
  tools: { pay },
  questions: { how_many: { description: 'Ask how many', answer: z.object({ count: z.number() }) } },
});
const task = defineAgent({ name: 'shop.task', instructions: 'x', model: 'other' });

let kit: AgentTestEnvironment;
let project: Project;
let closeBus: () => Promise<void>;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, task], server: 'dev' });
  project = projectOf(kit);
  const { address } = kit.temporal.connection.options;
  closeBus = await serveBus(kit.bus, { address, namespace: 'default' });
});
afterAll(async () => {
  await closeBus();
  await kit.close();
  project.remove();
});
afterEach(() => kit.model.reset());

/** `holdfast chat` as a process whose input and output are pipes. */
function begin(...args: string[]): ChildProcess & { stdin: object; stdout: object; stderr: object } {
  const env = { ...process.env, USER: 'ann' };
  return spawn(process.execPath, [RUN_TS, MAIN, 'chat', ...args], { cwd: project.dir, env }) as never;
}

async function chat(args: string[], ...lines: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = begin(...args);
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  const [out, err, [code]] = await Promise.all([
    textOf(child.stdout as never),
    textOf(child.stderr as never),
    once(child, 'exit'),
  ]);
  return { code, out, err };
}

test('in a pipe each line is a message, a command, or the answer to the open question', async () => {
  kit.model.script(
    text('Hello!'),
    call('how_many', { question: 'How many?' }, { reasoning: 'For whom?!' }),
    call('pay', { amount: 5 }),
    text('Paid.'),
  );
  const { code, out, err } = await chat(
    ['shop.desk', '--id', 'pipe'],
    'Hi',
    '/rename About paying',
    '/model other',
    'Pay',
    'many',
    '{"count": 2}',
    '/approve t3.1 a friend',
    '/budget',
    '/model other',
  );
  expect({ code, out }).toEqual({ code: 0, out: 'Hello!\nPaid.\n' });
  for (const said of [
    /^chat {2}pipe$/m,
    /^ {2}thought (\d\.\d s, )?10 characters$/m,
    /^\? How many\?\n│ The answer is JSON, an object with `count` \(a number\)\.$/m,
    /^! The answer to `t2\.1` of the run `pipe` does not fit: .* The question still waits\.$/m,
    /^\? May pay run\? t3\.1\n│ \{\n│ {3}"amount": 5\n│ \}$/m,
    /^ {2}t3\.1 pay: approved by ann, "a friend"$/m,
    /^← paid 5$/m,
    /^ {2}other takes over from default, as ann chose$/m,
    /^ {2}The model other is in use already\.$/m,
    /^left {2}holdfast chat shop\.desk --id pipe$/m,
  ]) {
    expect(err).toMatch(said);
  }
  expect(await kit.client.get('pipe').state()).toMatchObject({ exchange: 2, idle: true, title: 'About paying' });
});

test('a conversation compacts as it is told, and says why it does not', async () => {
  kit.model.script(text('Hello!'), text('Goal: talk'), text('Well.'));
  const { code, err } = await chat(
    ['shop.desk', '--id', 'full'],
    'Hi',
    '/compact',
    '/compact all',
    '/compact 1',
    'Well?',
  );
  expect(code).toBe(1);
  expect(err).toMatch(/^! The run `full` has nothing to compact: only its last 10 messages, .*$/m);
  expect(err).toMatch(/^! Expected a whole number from 1, got `all`\.$/m);
  expect(err).toMatch(/^ {2}old messages are being summed up, from ann$/m);
  expect(err).toMatch(/^ {2}a summary is sent in place of the messages before 1: .* written by .*$/m);
});

test('in a pipe no text decides on a call that waits', async () => {
  kit.model.script(call('pay', { amount: 5 }), ...Array.from({ length: 5 }, () => text('Well.')));
  const chatting = chat(['shop.desk', '--id', 'texts'], 'Pay', 'do not', 'yes please', 'a', 'approve');
  const run = kit.client.get('texts');
  await until(
    () =>
      run.state().then(
        ({ queued }) => queued === 4,
        () => false,
      ),
    'all messages',
  );
  const {
    approvals: [ask],
  } = await run.waiting();
  expect(ask).toMatchObject({ toolUseId: 't1.1' });
  await run.deny(ask ?? { toolUseId: 't1.1' }, { by: 'bob' });
  expect(await chatting).toMatchObject({ code: 0, err: expect.stringMatching(/t1\.1 pay: denied by bob$/m) });
});

test('a failed exchange makes the exit code 1; later lines are answered, and `--close` ends the run', async () => {
  kit.model.script(fault({ kind: 'status', status: 400, message: 'No luck' }), text('Well.'));
  const { code, out, err } = await chat(['shop.desk', '--id', 'fails', '--close'], 'Hi', '/bdget', 'Again');
  expect({ code, out }).toEqual({ code: 1, out: 'Well.\n' });
  expect(err).toMatch(/^! .*No luck/m);
  expect(err).toMatch(/^! There is no command \/bdget; did you mean \/budget\?/m);
  expect(await kit.client.get('fails').result()).toMatchObject({ data: 'Well.', exchanges: 2 });
});

test('the chat ends silently when its reader is gone, and the conversation goes on', async () => {
  const { open: answer, opened: gone } = newGate();
  kit.model.script(
    text('One'),
    async () => {
      await gone;
      return text('Two');
    },
    text('Three'),
  );
  const child = begin('shop.desk', '--id', 'gone');
  child.stdin?.write('Hi\n');
  await once(child.stdout as never, 'data');
  child.stdin?.write('More\n');
  await kit.model.request(2);
  child.stdout?.destroy();
  const errors = textOf(child.stderr as never);
  answer();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await errors).not.toMatch(/EPIPE|^!|\bat /m);
  const run = kit.client.get<unknown, 'conversation'>('gone');
  expect(await run.answerTo({ exchange: 2 })).toMatchObject({ data: 'Two' });
  expect(await run.answerTo(await run.send('Still there?'))).toMatchObject({ data: 'Three' });
});

test('a terminal that closes during an answer leaves the conversation, which can be resumed by its id', async () => {
  const { open: answer, opened: gone } = newGate();
  kit.model.script(async () => {
    await gone;
    return text('One');
  }, text('Two'));
  const child = begin('shop.desk', '--id', 'hangup');
  child.stdin?.write('Hi\n');
  await kit.model.request(1);
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([null, 'SIGHUP']);
  const again = chat(['shop.desk', '--id', 'hangup'], 'Are you there?');
  answer();
  const { code, out } = await again;
  expect([code, out]).toEqual([0, expect.stringMatching(/^(One\n)?Two\n$/)]);
});

test('another process receives the text of an answer before its message', async () => {
  const reads = jest.spyOn(kit.bus, 'subscribe');
  const { open: goOn, opened: read } = newGate();
  const lines = 'It was sent on Monday.\nIt comes on Friday.\n';
  kit.model.script(async () => {
    await until(() => reads.mock.calls.some(([id]) => id === 'streams'), 'the reader');
    await read;
    return text(`${lines}Ask again then.`, { chunkSize: lines.length, chunkDelay: 300 });
  });
  await kit.start(task, { input: 'Where is it?', id: 'streams' });
  const child = spawn(process.execPath, [RUN_TS, MAIN, 'tail', 'streams', '--verbose'], { cwd: project.dir });
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
    if (shown.includes('loop.iteration')) goOn();
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  const kind = ' '.repeat(6) + 'text'.padEnd(16);
  const [early = ''] = shown.split('message         assistant');
  expect(early).toContain(`${kind}It was sent on Monday.\n${kind}It comes on Friday.\n`);
});

test('agents that are not conversations are refused by name', async () => {
  const { id } = await kit.start(task, { input: 'x', id: 'task' });
  const [one, two] = await Promise.all([chat(['shop.task'], 'Hi'), chat(['shop.desk', '--id', id], 'Hi')]);
  expect(one).toMatchObject({ code: 1, out: '', err: expect.stringContaining('holdfast run shop.task') });
  expect(two).toMatchObject({
    code: 1,
    out: '',
    err: 'The id `task` is in use: a run of `shop.task` has it. Choose another id.\n',
  });
});
