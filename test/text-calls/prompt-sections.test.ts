import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { viewPrompt } from '../../cli/show/prompt/view';
import { factsOf } from '../facts';

const look = defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const sectioned = defineAgent({
  name: 'text.sectioned',
  toolCalls: 'text',
  instructions: 'BASE',
  tools: { look },
  prompt: { system: { agentLoop: null, capabilities: null, chainOfThought: null }, turn: { rag: 'RAG' } },
});
const own = defineAgent({
  ...sectioned.definition,
  name: 'text.own',
  prompt: { ...sectioned.definition.prompt, turn: { toolSchemas: 'MINE', callingRules: null } },
});

const huge = defineAgent({
  ...sectioned.definition,
  name: 'text.huge',
  tools: { look: { ...look, description: 'Looks. '.repeat(300) } },
  prompt: { ...sectioned.definition.prompt, maxChars: 1000, turn: { rag: () => 'x'.repeat(900) } },
});
const near = defineAgent({ name: 'text.near', toolCalls: 'text', modelClass: 'small', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [sectioned, own, huge, near], contextWindow: 8000 });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const CALL = '<tool>{"server_name":"local","tool_name":"look","arguments":{}}</tool>';
const said = (at: number) => kit.model.requests[at]?.body.messages.map(({ role, content }) => `${role}: ${content}`);

test('the tools are in the turn message of an agent with sections, once, and not in its system prompt', async () => {
  kit.model.script(text(CALL), text('done'));
  const run = await kit.start(sectioned, { input: 'where?' });
  expect((await run.result()).data).toBe('done');
  expect(said(0)?.[0]).toBe('system: BASE');
  expect(said(0)?.[1]).toMatch(/^user: # Your tools.*- look: Looks.*# Calling tools.*\n\nRAG\n\nwhere\?$/s);
  const second = said(1) ?? [];
  expect(second[1]).toBe('user: where?');
  expect(second.at(-1)).toMatch(/seen.*# Your tools.*RAG$/s);
  expect(second.join('\n').match(/# Your tools/g)).toHaveLength(1);
  expect(JSON.stringify(await run.transcript())).not.toContain('# Your tools');
  await kit.replay(run);
});

test('an agent replaces or removes the sections of its tools', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(own, { input: 'where?' });
  expect((await run.result()).data).toBe('done');
  expect(said(0)).toEqual(['system: BASE', 'user: MINE\n\nwhere?']);
});

test('sections that tell of the tools are sent whatever their length', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(huge, { input: 'where?' });
  await run.result();
  expect(said(0)?.[1]).toMatch(/# Your tools.*(Looks\. ){300}.*# Calling tools.*x{900}/s);
});

test('a name that is almost right is repaired for a small model, and the call runs', async () => {
  kit.model.script(text(CALL.replace('look', 'Look')), text('done'));
  const run = await kit.start(near, { input: 'where?' });
  expect((await run.result()).data).toBe('done');
  expect(said(1)?.at(-1)).toContain('seen');
  expect((await factsOf(run)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['tool.repaired', 'tool.result']),
  );
  await kit.replay(run);
});

test('`show --prompt` shows such a call as it was sent', async () => {
  kit.model.script(text(CALL), text('done'));
  const run = await kit.start(sectioned, { input: 'where?' });
  await run.result();
  const view = await viewPrompt(kit.client.temporal, run.id, { turn: 2, models: {}, workerTimeout: 5000 });
  const shown = view?.messages.map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''));
  const { messages } = (await kit.model.request(2)).body;
  expect(view?.tools).toEqual([]);
  // The provider's protocol joins the parts of a message.
  const words = (message: unknown) => String(message).replace(/\s+/g, '');
  expect([view?.system, ...(shown ?? [])].map(words)).toEqual(messages.map(({ content }) => words(content)));
});
