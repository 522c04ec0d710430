import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { fixture, newFolder } from '../activities/mcp/servers';

/** Errors that the next calls of a builder throw. */
const faults: Error[] = [];
let calls = 0;
function faulty(): void {
  calls++;
  const next = faults.shift();
  if (next !== undefined) throw next;
}
const down = () => new Error('no database');
const final = () => ApplicationFailure.nonRetryable('no such customer');

const opened = defineAgent({
  name: 'start.opened',
  inputSchema: z.object({ mail: z.string() }),
  contextBuilder: () => {
    faulty();
    return { system: 'Answer.' };
  },
});
const brief = defineAgent({ ...opened.definition, name: 'start.brief', limits: { startPatience: '90s' } });
const checked = defineAgent({
  name: 'start.checked',
  outputBuilder: ({ content }) => {
    faulty();
    return { data: content };
  },
});

/** A server that exits at its first starts, as often as the number in the file says. */
const tries = join(newFolder(), 'tries');
const CODE = `
const fs = require('node:fs');
const left = Number(fs.readFileSync(process.argv[1], 'utf8'));
fs.writeFileSync(process.argv[1], String(left - 1));
if (left > 0) { console.error('Error: not yet'); process.exit(1); }
process.argv.splice(1, 1);
import(process.argv[1]);`;
const server = fixture('line-server.mjs');
const connected = defineAgent({
  name: 'start.connected',
  mcp: { files: { command: process.execPath, args: ['-e', CODE, tries, ...(server.args ?? [])] } },
});

/** A server with more tools than a run can keep. */
const many = (more: object) => ({ ...fixture('many-tools-server.mjs', [], { env: { TOOLS: '20000' } }), ...more });
const crowded = defineAgent({ name: 'start.crowded', mcp: { many: many({}) } });
const chosen = defineAgent({ name: 'start.chosen', mcp: { many: many({ tools: ['tool_7*'] }) } });
const endless = defineAgent({
  name: 'start.endless',
  mcp: { many: many({ env: { ENDLESS: 'new', PAGE: '1' } }) },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [opened, brief, checked, connected, crowded, chosen, endless] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  faults.length = 0;
  calls = 0;
});

/** Seconds of the server's clock that a run took. */
async function secondsOf(run: { id: string }): Promise<number> {
  const { events } = await kit.history(run);
  const times = events?.map(({ eventTime }) => Number(eventTime?.seconds)) ?? [];
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

const mail = { input: { mail: 'x' } };

test('a contextBuilder that throws for minutes delays the start', async () => {
  faults.push(...Array.from({ length: 12 }, down));
  kit.model.script(text('Hello.'));
  const run = await kit.start(opened, mail);
  expect((await run.result()).data).toBe('Hello.');
  expect(calls).toBe(13);
  expect(await secondsOf(run)).toBeGreaterThan(180);
  await kit.replay(run);
});

test('an outputBuilder that throws for minutes delays the end, and the model is not asked again', async () => {
  faults.push(...Array.from({ length: 12 }, down));
  kit.model.script(text('Hello.'));
  const run = await kit.start(checked, { input: 'x' });
  expect((await run.result()).data).toBe('Hello.');
  expect(kit.model.requests).toHaveLength(1);
  await kit.replay(run);
});

test('an MCP server that starts at its fifth attempt delays the start', async () => {
  writeFileSync(tries, '4');
  kit.model.script(text('Hello.'));
  const run = await kit.start(connected, { input: 'x' });
  expect((await run.result()).data).toBe('Hello.');
  expect((await run.state()).tools).toHaveLength(1);
});

test.each([
  ['ten minutes', opened, 600, 660],
  ['what the agent allows', brief, 90, 150],
])('a builder that always throws ends the run after %s', async (_what, agent, least, most) => {
  faults.push(...Array.from({ length: 100 }, down));
  const run = await kit.start(agent, mail);
  await expect(run.result()).rejects.toMatchObject({
    type: 'ContextBuilderFailed',
    message: expect.stringContaining('no database'),
  });
  const took = await secondsOf(run);
  expect(took).toBeGreaterThanOrEqual(least);
  expect(took).toBeLessThan(most);
});

test.each([
  ['contextBuilder', opened, mail, 'ContextBuilderFailed'],
  ['outputBuilder', checked, { input: 'x' }, 'OutputBuilderFailed'],
])('a failure of %s that is marked as final ends the run at once', async (_what, agent, options, type) => {
  faults.push(final(), down());
  kit.model.script(text('Hello.'));
  const run = await kit.start(agent as typeof checked, options);
  await expect(run.result()).rejects.toMatchObject({ type, message: expect.stringContaining('no such customer') });
  expect(calls).toBe(1);
});

test('an input that does not fit ends the run at once', async () => {
  faults.push(...Array.from({ length: 100 }, down));
  const run = await kit.start('start.opened', { input: { mail: 7 } });
  await expect(run.result()).rejects.toMatchObject({ type: 'InvalidInput' });
  expect(await secondsOf(run)).toBeLessThan(5);
});

test.each([
  [
    'more tools than a run can keep',
    crowded,
    'InvalidDefinition',
    'name those that it needs in `tools` of its MCP servers',
  ],
  ['a list that does not end', endless, 'McpServerFailed', 'have it list more tools on each page, and end the list'],
])('an MCP server with %s ends the run at once, which says what to do', async (_what, agent, type, advice) => {
  const run = await kit.start(agent, { input: 'x' });
  await expect(run.result()).rejects.toMatchObject({ type, message: expect.stringContaining(advice) });
  expect(await secondsOf(run)).toBeLessThan(60);
});

test('of such a server a run gets the tools that `tools` names', async () => {
  kit.model.script(text('Hello.'));
  const run = await kit.start(chosen, { input: 'x' });
  expect((await run.result()).data).toBe('Hello.');
  expect((await run.state()).tools).toHaveLength(1111);
});
