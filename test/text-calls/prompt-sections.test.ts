import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';

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

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [sectioned, own], contextWindow: 8000 });
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
