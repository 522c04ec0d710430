import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import type { ConversationHandle, SessionFilter } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../../agent/protocol/search-attributes';
import { exportRun } from '../../../cli/export/export';
import { inbox } from '../../../cli/inbox/inbox';
import { runs } from '../../../cli/runs/runs';
import { close, remove, rename } from '../../../cli/runs/session';
import { tailRun } from '../../../cli/runs/tail';
import { runLines, viewRun } from '../../../cli/show/run';
import { answer } from '../../../cli/waits/answer';
import { newGate } from '../../gate';
import { until } from '../../until';
import { type Project, projectOf } from '../project';
import { said } from '../said';

const page = `${'a line of a page\n'.repeat(50)}the end`;
const chat = defineAgent({
  name: 'sessions.chat',
  instructions: 'Be kind.',
  mode: 'conversation',
  tools: { read: defineTool({ description: 'x', effect: 'read', inputSchema: z.object({}), execute: () => page }) },
  limits: { maxResultChars: 100 },
});
const asker = defineAgent({
  name: 'sessions.asker',
  loopTools: ['ask_question'],
  questions: { age: { description: 'Asks for the age', answer: z.object({ years: z.number() }) } },
});

let kit: AgentTestEnvironment;
let project: Project;
let config: string;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat, asker], server: 'dev' });
  project = projectOf(kit);
  config = project.config;
});
afterAll(async () => {
  await kit.close();
  project.remove();
});
beforeEach(() => kit.model.reset());

/** A conversation that has read a page and answered. */
async function talked(id: string, owner: string): Promise<ConversationHandle<string>> {
  kit.model.script({ ...call('read'), reasoning: 'easy' }, text('It ends with `the end`.'));
  const run = kit.conversation<typeof chat>('sessions.chat', { id, owner, input: null });
  const taken = await run.send('Read it', { by: 'ann' });
  await run.answerTo(taken);
  return run as ConversationHandle<string>;
}

/** Lists of runs are some milliseconds behind the runs. */
async function listed(filter: SessionFilter, expected: object[]): Promise<void> {
  const found = async () => (await kit.client.sessions(filter)).map(({ id, status, waits }) => [id, status, waits]);
  const wanted = JSON.stringify(expected);
  await until(
    async () => JSON.stringify(await found()) === wanted,
    `${JSON.stringify(filter)} to list ${wanted}`,
    15_000,
  );
}

test('lists show each run with its owner and what it waits for, also after a rename', async () => {
  const one = await talked('list-1', 'ann');
  kit.model.script(call('ask_question', { question: 'Which one?' }), text('done'));
  const two = await kit.start<typeof asker>('sessions.asker', { id: 'list-2', owner: 'bob', input: 'go' });
  await two.waiting({ atLeast: { questions: 1 } });
  await listed({ owner: 'ann' }, [['list-1', 'waiting', 'message']]);
  await listed({ agent: 'sessions.asker' }, [['list-2', 'waiting', 'question']]);
  await listed({ status: 'waiting' }, [
    ['list-2', 'waiting', 'question'],
    ['list-1', 'waiting', 'message'],
  ]);
  await listed({ status: 'waiting', limit: 1 }, [['list-2', 'waiting', 'question']]);

  const renamed = await said(() => rename('list-1', ['All', 'pages'], { config, by: 'ann' }));
  expect(renamed).toEqual({ code: 0, out: 'list-1 is now called All pages\n', err: '' });
  const lines = async (options: object) => (await said(() => runs({ config, ...options }))).out;
  await until(async () => (await lines({ owner: 'ann' })).includes('All pages'), 'the title to be listed');
  expect(await lines({ owner: 'ann' })).toMatch(
    /^run .*\nlist-1 {2}sessions\.chat +waits for a message +ann +\d.* {2}All pages\n$/,
  );
  expect(JSON.parse(await lines({ owner: 'ann', json: true }))).toMatchObject({ id: 'list-1', title: 'All pages' });
  expect(await lines({ owner: 'eve' })).toBe('No run fits.\n');

  expect(await said(() => close('list-1', { config, by: 'ann' }))).toMatchObject({ code: 0 });
  await one.result();
  await two.cancel();
  await two.result().catch(() => undefined);
  await listed({ owner: 'ann' }, [['list-1', 'completed', null]]);
  await listed({ owner: 'bob' }, [['list-2', 'cancelled', null]]);
});

test('a run in its first turn is found by its owner too', async () => {
  const { open: goOn, opened: released } = newGate();
  kit.model.script(async () => {
    await released;
    return text('done');
  });
  const owner = "o'brien";
  const run = await kit.start<typeof asker>('sessions.asker', { id: 'young', owner, input: 'go' });
  await kit.model.request(1);
  await listed({ owner }, [['young', 'running', null]]);
  await listed({ owner, status: 'waiting' }, []);
  goOn();
  await run.result();
  await listed({ owner }, [['young', 'completed', null]]);
});

test('an ended run is deleted with the runs before it; an open one is not', async () => {
  const run = await talked('gone', 'eve');
  await expect(remove('gone', { config })).rejects.toMatchObject({ type: 'RunNotEnded' });
  await run.close();
  await run.result();
  // The server does it in the background, within a minute, so the test checks the requests to it.
  const deleted = jest.spyOn(kit.client.temporal.workflowService, 'deleteWorkflowExecution');
  const { runId } = await run.workflow.describe();
  await kit.client.delete('gone');
  expect(deleted.mock.calls.map(([request]) => (request as { workflowExecution: object }).workflowExecution)).toEqual([
    { workflowId: 'gone', runId },
  ]);
  deleted.mockRestore();
});

test('a reader that leaves does not end the run', async () => {
  const run = await talked('left', 'ann');
  const reader = new AbortController();
  const tailed = said(() => tailRun(kit.client, 'left', {}, reader.signal).then(() => 0));
  await until(async () => (await run.state()).idle, 'the run to wait');
  reader.abort();
  await tailed;
  expect((await run.state()).status).toBe('running');
  await run.close();
  await run.result();
});

test('`holdfast export` writes the transcript as consistent chat messages', async () => {
  const run = await talked('export', 'ann');
  const messages = async (options: object) =>
    (await said(() => exportRun('export', { config, ...options }))).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [system, user, assistant, tool, last] = await messages({});
  expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('Be kind.') });
  expect(user).toEqual({ role: 'user', content: 'Read it' });
  expect(assistant).toMatchObject({ role: 'assistant', tool_calls: [{ id: 't1.1', function: { name: 'read' } }] });
  expect(tool).toMatchObject({ role: 'tool', tool_call_id: 't1.1', content: expect.stringContaining('[cut:') });
  expect(last).toEqual({ role: 'assistant', content: 'It ends with `the end`.' });
  expect((await messages({ full: true }))[3].content).toBe(page);
  await run.close();
  await run.result();
  expect(await messages({})).toEqual([system, user, assistant, tool, last]);
});

test('`holdfast export --format md` writes a page for people', async () => {
  const run = await talked('page', 'ann');
  kit.model.script(text('Once more.'));
  await run.answerTo(await run.send('Again', { by: 'bob' }));
  await run.rename('Two *pages*');
  const file = join(project.dir, 'page.md');
  expect(await said(() => exportRun('page', { config, format: 'md', out: file }))).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining(file),
  });
  const shown = readFileSync(file, 'utf8');
  expect(shown).toMatch(/^# Two \\\*pages\\\*\n\nRun `page` of the agent `sessions\.chat` for `ann`\n/);
  expect(shown).toMatch(/\n## Exchange 1, ann, 20.*Z\n\n\*\*User\*\*\n\nRead it\n/);
  expect(shown).toMatch(
    /<summary>t1\.1 read<\/summary>\n\n```json\n\{\}\n```\n\n```\na line of a page\n[^`]*```\n\n<\/details>/,
  );
  expect(shown).toMatch(/\n## Exchange 2, bob, 20.*Z\n\n\*\*User\*\*\n\nAgain\n\n\*\*Agent\*\*\n\nOnce more\.\n$/);
  await run.close();
  await run.result();
});

test('`holdfast answer` answers a question of a run according to its schema, or declines it', async () => {
  kit.model.script(
    calls(
      ['ask_question', { question: 'Which one?' }],
      ['age', { question: 'How old?' }],
      ['ask_question', { question: 'Why?' }],
    ),
    text('done'),
  );
  const run = await kit.start<typeof asker>('sessions.asker', { id: 'answer', owner: 'eve', input: 'go' });
  await run.waiting({ atLeast: { questions: 3 } });
  const shown = runLines(await viewRun(kit.client.temporal, 'answer', { workerTimeout: 5000 }), false).join('\n');
  expect(shown).toMatch(/^waits +t1\.1 ask_question asks: Which one\?\n +holdfast answer answer t1\.1 '…'$/m);
  expect(shown).toMatch(/^ +t1\.2 age asks: .*\n +holdfast answer answer t1\.2 '\{…\}'$/m);
  const waiting = async (filter: object) =>
    (await said(() => inbox({ config, json: true, ...filter }))).out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).questionId);
  await until(async () => (await waiting({ owner: 'eve' })).length === 3, 'the inbox to show the questions');
  expect(await waiting({ run: 'answer' })).toEqual(['t1.1', 't1.2', 't1.3']);
  expect((await kit.client.waiting({ owner: 'eve' })).questions.map(({ question }) => question)).toContain('Why?');

  const by = 'ann';
  expect(await said(() => answer('answer', 't1.1', ['the', 'first'], { config, by }))).toEqual({
    code: 0,
    out: 'answered t1.1 of answer by ann\n',
    err: '',
  });
  await expect(answer('answer', 't1.1', ['the', 'second'], { config, by })).rejects.toMatchObject({
    type: 'QuestionClosed',
  });
  await expect(answer('answer', 't9.9', ['x'], { config, by })).rejects.toMatchObject({ type: 'QuestionNotFound' });
  await expect(answer('answer', 't1.2', ['old'], { config, by })).rejects.toMatchObject({ type: 'InvalidReply' });
  await expect(answer('answer', 't1.2', [], { config, by, data: '{"years":' })).rejects.toMatchObject({
    type: 'InvalidReply',
  });
  expect(await said(() => answer('answer', 't1.3', [], { config, by }))).toMatchObject({ code: 2, out: '' });
  await said(() => answer('answer', 't1.2', [], { config, by, data: '{"years": 40}' }));
  expect((await said(() => answer('answer', 't1.3', ['private'], { config, by, decline: true }))).out).toBe(
    'declined t1.3 of answer by ann\n',
  );
  await run.result();
  const told = JSON.stringify(kit.model.requests.at(-1)?.body.messages);
  for (const words of ['the first', '40', 'private']) expect(told).toContain(words);
});

test('without search attributes runs are still listed, but not by owner', async () => {
  const { namespace } = kit.client.temporal.options;
  const { operatorService } = kit.temporal.connection;
  await operatorService.removeSearchAttributes({ namespace, searchAttributes: [...SEARCH_ATTRIBUTES] });
  // The server caches the registered attributes.
  const refusal = () => kit.client.sessions({ owner: 'ann' }).catch((error: Error) => error);
  await until(async () => (await refusal()) instanceof Error, 'the attributes to be gone');
  expect(await refusal()).toMatchObject({
    type: 'RunsNotListed',
    data: { namespace, missing: 'HoldfastOwner' },
    message: expect.stringContaining('temporal operator search-attribute create'),
  });
  expect((await kit.client.sessions({ agent: 'sessions.asker' })).map(({ id }) => id)).toContain('answer');
});
