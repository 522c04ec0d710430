import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { newFolder, published } from '../activities/mcp/servers';
import { factsOf } from '../facts';

const folder = newFolder();
const note = join(folder, 'note.txt');
writeFileSync(note, 'tea & rum');
const reader = defineAgent({
  name: 'text.files',
  toolCalls: 'text',
  tools: { count: defineTool({ description: 'Count', inputSchema: z.object({}), effect: 'read', execute: () => 2 }) },
  mcp: { files: published('filesystem', [folder]) },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader] });
});
afterAll(() => kit.close());

test('`server_name` chooses the MCP server, and a tool that is elsewhere is named', async () => {
  kit.model.script(
    text('<tool>{"server_name": "local", "tool_name": "read_text_file", "arguments": {}}</tool>'),
    text(
      `<tool><server_name>files</server_name><tool_name>read_text_file</tool_name><arguments><path>${note}</path></arguments></tool>`,
    ),
    text('Tea and rum.'),
  );
  const run = await kit.start(reader, { input: 'read' });
  expect((await run.result()).data).toBe('Tea and rum.');
  const [first, second, third] = kit.model.requests.map(({ body }) => body.messages);
  const system = String(first?.[0]?.content);
  expect(system.indexOf('# Your tools')).toBeLessThan(system.indexOf('# Tools of the MCP server files'));
  expect(system).toContain('- read_text_file: ');
  expect(second?.at(-1)?.content).toContain('The server `files` has a tool named `read_text_file`.');
  expect(third?.at(-1)?.content).toMatch(/^Result of the tool `read_text_file` \(server `files`\):\n/);
  expect(third?.at(-1)?.content).toContain('tea & rum');
  expect(await factsOf(run, 'tool.call')).toMatchObject([
    { name: 'read_text_file' },
    { name: 'files.read_text_file', input: { path: note } },
  ]);
  await kit.replay(run);
});
