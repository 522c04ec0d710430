import { callMcpTool } from '../../../activities/mcp/call-tool';
import { closeThread } from '../../../activities/schemas/job-thread';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { hashOfArguments } from '../../../runtime/sha256';
import { calls } from '../../kit/scripted-model';
import { ask, configOf, model } from './asking';
import { lookup } from './lookup';

afterAll(closeThread);

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { x: nested(levels - 1) });
/** Each level of a value is visited twice as often as the one around it. */
const branch = { properties: { x: { $ref: '#/$defs/a' } }, required: ['z'] };
const inputSchema = { type: 'object', $defs: { a: { anyOf: [branch, branch] } }, $ref: '#/$defs/a' };
const tool: ToolSpec = { ...lookup, kind: 'mcp', inputSchema, mcp: { server: 's', tool: 'do', startTimeout: 1000 } };

test('arguments too expensive to check are problems that say what to do; after three no more are tried', async () => {
  const dear = Array.from({ length: 40 }, (_, i) => ({ ...nested(60), i }));
  const server = await model(
    calls(['look_up', { z: 1 }], ...dear.map((input) => ['look_up', input] as [string, JsonObject])),
  );
  const began = Date.now();
  const { toolRequests } = await ask(configOf(server), { tools: [tool] });
  expect(toolRequests[0]).toEqual(expect.not.objectContaining({ problem: expect.anything() }));
  expect(toolRequests.slice(1).map(({ input, hash, problem }) => ({ input, hash, problem }))).toEqual(
    dear.map((input) => ({
      input,
      hash: hashOfArguments(input),
      problem: {
        type: 'InvalidArguments',
        message: expect.stringMatching(/takes more than 1 s\. The call was not started\./),
      },
    })),
  );
  // 40 of them would take 40 s.
  expect(Date.now() - began).toBeLessThan(30_000);
});

test('an MCP server is not called with arguments that are too expensive to check', async () => {
  const use = jest.fn();
  const { signal } = new AbortController();
  const result = await callMcpTool({ use } as never, { command: 'x' }, tool, nested(60), { signal });
  expect(result).toMatchObject({
    error: { type: 'InvalidArguments', message: expect.stringContaining('The call was not started') },
  });
  expect(result.unknown).toBeUndefined();
  expect(use).not.toHaveBeenCalled();
});
