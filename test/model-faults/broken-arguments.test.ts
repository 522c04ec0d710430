import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { Message, Part } from '../../agent/model/message';
import { markdown } from '../../cli/export/markdown';
import { transcriptLines } from '../../cli/show/transcript';
import { factsOf } from '../facts';

const look = defineTool({
  description: 'Looks',
  effect: 'read',
  inputSchema: z.object({ at: z.string() }),
  execute: ({ at }) => `saw ${at}`,
});
const agent = defineAgent({ name: 'test.broken', instructions: 'Look.', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const BROKEN = 'look at the house, [please';
const uses = (parts: Part[]) => parts.filter((part) => part.type === 'tool_use');

it('keeps what the model wrote where it is not JSON, for people', async () => {
  kit.model.script(calls(['look', BROKEN], ['look', '{"at": "b'], ['look', '[1]']), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await run.result();
  const messages = await run.transcript();
  expect(uses(messages.flatMap(({ parts }) => parts))).toEqual([
    { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {}, rawInput: BROKEN, providerId: expect.any(String) },
    { type: 'tool_use', toolUseId: 't1.2', name: 'look', input: { at: 'b' }, providerId: expect.any(String) },
    { type: 'tool_use', toolUseId: 't1.3', name: 'look', input: {}, rawInput: '[1]', providerId: expect.any(String) },
  ]);
  const said = (await factsOf(run, 'message')).flatMap(({ message: { parts } }) => uses(parts));
  expect(said.map(({ rawInput }) => rawInput)).toEqual([BROKEN, undefined, '[1]']);
  expect(transcriptLines(messages, true).join('\n')).toContain(`→ t1.1 look not JSON: ${BROKEN}`);
  await kit.replay(run);
});

it('sends empty arguments in its place, and the model reads what is wrong', async () => {
  kit.model.script(call('look', BROKEN), call('look', { at: 'c' }), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await run.result();
  for (const { body } of kit.model.requests.slice(1)) {
    const asked = body.messages.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(asked[0]?.function).toEqual({ name: 'look', arguments: '{}' });
    expect(JSON.stringify(body)).not.toContain('rawInput');
  }
  const told = kit.model.requests[1]?.body.messages.at(-1);
  expect(told).toMatchObject({ role: 'tool', content: `The arguments are not a JSON object: ${BROKEN}` });
  expect(JSON.stringify(await run.transcript({ form: 'openai' }))).not.toContain('rawInput');
});

it('keeps 16 KB of a longer text', async () => {
  kit.model.script(call('look', `{{${'é'.repeat(20_000)}`), text('done'));
  const run = await kit.start(agent, { input: 'go' });
  await run.result();
  const [use] = uses((await run.transcript()).flatMap(({ parts }) => parts));
  expect(use?.rawInput).toMatch(/^\{\{é+… \[cut: the first 16384 of 40002 bytes\]$/);
});

it('is in an export', () => {
  const use: Part = { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {}, rawInput: BROKEN };
  const messages: Message[] = [{ role: 'assistant', parts: [use], turn: 1 }];
  const page = markdown({ id: 'r', agent: 'test.broken', modelNames: new Map(), messages, facts: [] });
  expect(page).toContain(`\`\`\`\n${BROKEN}\n\`\`\``);
});
