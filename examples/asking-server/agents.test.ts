import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentTestEnvironment, createAgentTestEnvironment, type ScriptTurn } from 'holdfast/testing';
import { office } from './agents';
import { play as model } from './model';
import { play } from './scene';

const book = join(mkdtempSync(join(tmpdir(), 'holdfast-rooms-')), 'rooms.jsonl');
const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
const entries = () => readFileSync(book, 'utf8').trim().split('\n');
const modelTurn = ({ request }: ScriptTurn) => model(request);

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const env = { ROOMS_KEY: 'a key that only the tests of this example know', ROOMS_BOOK: book };
  const rooms = { command: process.execPath, args: [join(__dirname, 'server.mjs')], env };
  kit = await createAgentTestEnvironment({ agents: [office], mcp: { rooms }, server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('runs as the README shows: another process of the server continues after the first one asked', async () => {
  kit.model.script(modelTurn, modelTurn);
  const lines: string[] = [];
  const restart = async () => {
    await kit.stopWorker();
    await kit.startWorker();
    return kit.client;
  };
  const run = await play(kit.client, restart, (line) => lines.push(`${line}\n`));
  expect(readme).toContain(lines.join(''));
  expect((await run.result()).data).toBe('You have a room on Friday.');
  const noted = entries().map((line) => JSON.parse(line));
  const masked = entries().map((line) => line.replace(/"pid":\d+/, '"pid":'));
  expect(readme.replace(/"pid":\d+/g, '"pid":')).toContain(masked.join('\n'));
  expect(noted[0].pid).not.toBe(noted[1].pid);
  kit.model.assertDone();
  await kit.replay(run);
});

it('books nothing if the person declines', async () => {
  kit.model.script(modelTurn, modelTurn);
  const run = await kit.start(office, { input: { wish: 'A room on Friday' } });
  await run.decline((await run.waiting({ atLeast: { questions: 1 } })).questions[0], { by: 'ann' });
  expect((await run.result()).data).toBe('You have no room.');
  expect(entries().at(-1)).toContain('"asks":"Which room on Friday');
});
