import { type AgentDefinition, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../../../fault';

// A caller without types could write this.
const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more } as AgentDefinition);
const tool = defineTool({ description: 'x', inputSchema: z.object({}), execute: () => 'x' });

it.each(['xml', '', null, true])('%j is refused as a way to call tools', (toolCalls) => {
  expect(fault(agent({ toolCalls }))).toBe(
    `Agent \`a.b\`.toolCalls: Expected \`native\` or \`text\`, got \`${toolCalls}\``,
  );
});

it('calls in text need the name `local` for the tools of the agent', () => {
  const mcp = { local: 'files' };
  expect(fault(agent({ toolCalls: 'text', mcp }))).toBe(
    "Agent `a.b`.mcp.local: With `toolCalls: 'text'` the agent's own tools have this name; choose another name",
  );
  expect(agent({ toolCalls: 'native', mcp })).not.toThrow();
});

it.each(['task_completion', 'ask_question', 'converse'])('no tool of an agent replaces %s', (name) => {
  expect(fault(agent({ toolCalls: 'text', tools: { [name]: tool } }))).toMatch(/The loop has a tool of this name/);
});
