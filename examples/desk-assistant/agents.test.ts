import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentTestEnvironment, createAgentTestEnvironment, type ScriptTurn } from 'holdfast/testing';
import { assistant } from './agents';
import { WISH } from './ann';
import { listFolder, newFolder } from './folder';
import { newModel } from './model';
import { play } from './scene';

const server = join(dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json')), 'dist/index.js');

let folder: string;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  folder = await newFolder();
  const files = { command: process.execPath, args: [server, folder], trusted: true };
  kit = await createAgentTestEnvironment({ agents: [assistant], mcp: { files } });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('runs as the README shows: a question, an undo that the model reads, a steering message, a new answer', async () => {
  const model = newModel();
  kit.model.script(...Array.from({ length: 11 }, () => (turn: ScriptTurn) => model(turn.request)));
  const lines: string[] = [];
  const run = await play(kit.client, folder, (line) => lines.push(`${line}\n`));
  expect(readFileSync(join(__dirname, 'README.md'), 'utf8')).toContain(lines.join(''));
  kit.model.assertDone();
  const told = kit.model.requests.flatMap(({ body }) => body.messages.map(({ content }) => String(content)));
  expect(told.join('\n')).toContain('The person undid t6.1 `files_move_file`');
  expect(await listFolder(folder)).toBe('2026-03-16 Weekly meeting.txt | 2026-04-02 Plum cake.txt | scan0001.txt');
  await kit.replay(run);
});

it('renames nothing if the person does not say how', async () => {
  const before = await listFolder(folder);
  const model = newModel();
  kit.model.script(...Array.from({ length: 4 }, () => (turn: ScriptTurn) => model(turn.request)));
  const run = kit.conversation(assistant, { id: 'desk-2' });
  const taken = await run.send(WISH);
  await run.decline((await run.waiting({ atLeast: { questions: 1 } })).questions[0], {
    by: 'ann',
    reason: 'not today',
  });
  expect((await run.answerTo(taken)).data).toBe('Then all names stay as they are.');
  expect(await listFolder(folder)).toBe(before);
  await run.close();
  await kit.replay(run);
});
