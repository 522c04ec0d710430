import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { mayAsk } from '../../workers/may-ask';

const tool = (approval?: 'always' | 'never') =>
  defineTool({
    description: 'x',
    inputSchema: z.object({}),
    execute: () => 'x',
    ...(approval === undefined ? {} : { approval }),
  });
const asks = (more: object) => mayAsk(defineAgent({ name: 'test.asks', ...more }).definition);

it.each<[boolean, string, object]>([
  [false, 'plain tools', { tools: { a: tool(), b: tool('never') } }],
  [true, 'a tool that asks', { tools: { a: tool(), b: tool('always') } }],
  [true, 'a policy that asks', { tools: { a: tool() }, policies: { a: { approval: 'always' } } }],
  [true, 'an MCP server, whose hints may ask', { mcp: { files: 'files' } }],
])('remembered decisions are served (%s) for an agent with %s', (expected, _, more) => {
  expect(asks(more)).toBe(expected);
});
