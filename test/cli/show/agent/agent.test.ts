import { defineAgent, defineTool } from 'holdfast';
import type { ModelConfig } from '../../../../agent/model/config';
import { isBroken, viewAgent } from '../../../../cli/show/agent/agent';
import { agentLines } from '../../../../cli/show/agent/agent-lines';
import type { Config } from '../../../../runtime/config/config';
import { agent, input, openConfig, run } from './triage';

let config: Config;
beforeAll(async () => {
  config = await openConfig();
});

it('shows how each tool is run and where that is set, and what each server offers', async () => {
  const view = await viewAgent(agent, config);
  const tool = (name: string) => view.tools.find((one) => one.name === name);
  expect(tool('plain')).toEqual({
    name: 'plain',
    modelName: 'plain',
    kind: 'internal',
    effect: 'once',
    priority: 2,
    timeout: 60_000,
    heartbeatTimeout: 120_000,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
    execution: 'parallel',
    from: { priority: 'policies', heartbeatTimeout: 'policies' },
  });
  expect(tool('quick')).toMatchObject({
    attempts: 2,
    from: { effect: 'tool', placement: 'tool', attempts: 'policies' },
  });
  expect(tool('read_file')).toMatchObject({ kind: 'file', effect: 'read', from: { effect: 'tool' } });
  // The same hint of the same server, once trusted and once not.
  expect(tool('own.pid')).toMatchObject({
    kind: 'mcp',
    effect: 'read',
    timeout: 5000,
    execution: 'serial',
    from: { effect: 'MCP hint (trusted)', timeout: 'server', execution: 'server' },
  });
  expect(tool('shop.pid')).toMatchObject({
    effect: 'once',
    untrustedHint: 'read',
    execution: 'serial',
    from: { cancellation: 'policies', execution: 'policies' },
  });
  expect(tool('own.pid')).not.toHaveProperty('untrustedHint');
  expect(view.mcp).toEqual([
    {
      server: 'shop',
      alias: 'shop',
      where: expect.stringContaining('old-server'),
      trusted: false,
      tools: expect.any(Number),
    },
    { server: 'own', where: expect.stringContaining('old-server'), trusted: true, tools: expect.any(Number) },
    { server: 'gone', where: '/nowhere/server', trusted: false, problem: expect.stringContaining('not found') },
  ]);
  expect(view.unusedPolicies).toEqual(['shop.nope']);
  expect(view.models).toEqual([
    {
      alias: 'fast',
      model: 'm-1',
      address: 'https://models.example/v1',
      adapter: 'chat',
      capabilities: { structuredOutput: 'schema' },
    },
    { alias: 'spare' },
  ]);
  expect(isBroken(view)).toBe(true);
});

it('is a table for people that names what is missing', async () => {
  const text = agentLines(await viewAgent(agent, config)).join('\n');
  for (const line of [
    /^support\.triage: Sorts mail$/m,
    /^models +fast +m-1 at https:\/\/models\.example\/v1 \(chat\)$/m,
    /^ +spare +✗ not under `models`/m,
    /^limits +7 tool interactions, 3 output attempts, 30000 characters of a result, heartbeat 10 s, model call 10 min$/m,
    /^✗ mcp gone: The MCP server `gone` did not start .*not found/m,
    /^✓ mcp own: \d+ tools, trusted, /m,
    /^tool +kind +effect +priority +timeout +heartbeat +attempts +placement +cancel +execution +not by default$/m,
    /^quick +internal +read +0 +60 s +10 s +2 +inline +wait +parallel +effect: tool, attempts: policies, placement: tool$/m,
    /^shop\.pid +mcp +once .* cancel: policies, execution: policies, MCP hint \(untrusted\): read$/m,
    /^own\.env +mcp +idempotent .* parallel +effect: MCP hint \(trusted\), timeout: server, execution: policies$/m,
    /^! policies\.shop\.nope: the agent has no such tool$/m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(text).not.toContain('pw-of-the-url');
});

it('says which calls run one after the other, and what the model is told about it', async () => {
  const serial = defineAgent({
    name: 'test.serial',
    execution: 'serial',
    parallelToolCalls: false,
    tools: { plain: defineTool({ description: 'x', inputSchema: input, execute: run, execution: 'parallel' }) },
  });
  const view = await viewAgent(serial, config);
  expect(view.tools).toMatchObject([{ name: 'plain', execution: 'serial', from: { execution: 'agent' } }]);
  expect(view).toMatchObject({ execution: 'serial', parallelToolCalls: false });
  const text = agentLines(view).join('\n');
  expect(text).toMatch(/^calls +one after the other, parallel_tool_calls: false$/m);
  expect(agentLines(await viewAgent(agent, config)).join('\n')).not.toMatch(/^calls/m);
});

it('says that the model calls tools in its text', async () => {
  const view = await viewAgent(defineAgent({ name: 'test.text', toolCalls: 'text' }), config);
  expect(view).toMatchObject({ toolCalls: 'text' });
  expect(agentLines(view).join('\n')).toMatch(/^calls +in the text of an answer$/m);
});

it('says that a server is not configured, and that an agent has no tools', async () => {
  const bare = defineAgent({ name: 'test.bare', model: 'fast', mcp: { files: 'files' } });
  const view = await viewAgent(bare, config);
  expect(view.mcp).toEqual([
    { server: 'files', alias: 'files', trusted: false, problem: expect.stringContaining('no MCP server `files`') },
  ]);
  expect(agentLines(view).join('\n')).toContain('It has no tools.');
});

it('says when a model that makes no progress is stopped, which tools it is offered, and which versions there are', async () => {
  expect(agentLines(await viewAgent(agent, config)).join('\n')).toMatch(/^stops +a call that fails 5 times alike$/m);
  const tools = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, defineTool({ description: 'x', inputSchema: input, execute: run })]),
  );
  const small = defineAgent({
    name: 'test.small',
    model: 'fast',
    tools,
    toolFilter: { top: 1, always: ['a'] },
    responseAnalysis: { claims: true },
    versions: { '2.0.0': {}, '1.0.0': {} },
  });
  const fast = config.models.fast;
  const view = await viewAgent(small, { ...config, models: { fast: { ...fast, modelClass: 'small' } as ModelConfig } });
  expect(view).toMatchObject({ modelClass: 'small', versions: ['1.0.0', '2.0.0'], repairsNames: true });
  const text = agentLines(view).join('\n');
  for (const line of [
    /^versions of its contract: 1\.0\.0, 2\.0\.0$/m,
    /^class +small models$/m,
    /^stops +a call that fails 5 times alike, a tool that fails 3 times, 2 answers with only failed calls, a call that was just made, empty answers$/m,
    /^answers +sent back if they stop too early or avoid the work, or claim a change that no tool made$/m,
    /^names +of tools that do not exist are repaired$/m,
    /^offers +1 tools by similarity, always a$/m,
  ]) {
    expect(text).toMatch(line);
  }
});
