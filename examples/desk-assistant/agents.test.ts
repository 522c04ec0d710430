import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HoldfastError } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { assistant } from './agents';
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

it('goes as the README shows: a question, an undo that the model hears of, a word in between, another answer', async () => {
  const model = newModel();
  kit.model.script(...Array.from({ length: 10 }, () => ({ request }: { request: Parameters<typeof model>[0] }) => model(request)));
  const lines: string[] = [];
  const run = await play(kit.client, folder, (line) => lines.push(`${line}\n`));
  console.log(lines.join(""));
  for await (const f of run.facts()) if (f.exchange>=3) console.log(JSON.stringify(f).slice(0,300));
  expect(readFileSync(join(__dirname, 'README.md'), 'utf8')).toContain(lines.join(''));
  expect(await listFolder(folder)).toBe('2026-03-16 Weekly meeting.txt | 2026-04-02 Plum cake.txt | scan0001.txt');
  kit.model.assertDone();
  await kit.replay(run);
});
