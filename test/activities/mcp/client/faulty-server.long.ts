import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { callMcpTool, type McpCallResult } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import type { ToolOf, ToolSpec } from '../../../../agent/protocol/manifest';
import { collectedLog, fixture, newRecord } from '../servers';

const connections = new McpConnections();
afterAll(() => connections.close());

const spec: ToolSpec = {
  name: 's.do',
  kind: 'mcp',
  modelName: 's_do',
  description: '',
  inputSchema: { type: 'object' },
  effect: 'once',
  priority: 0,
  timeout: 2000,
  attempts: 1,
  placement: 'activity',
  cancellation: 'wait',
  mcp: { server: 's', tool: 'do', startTimeout: 10_000 },
};

const call = (kind: string, more: Partial<ToolOf<'mcp'>> = {}): Promise<McpCallResult> => {
  const { signal } = new AbortController();
  return callMcpTool(connections, fixture('faulty-server.mjs', [kind]), { ...spec, ...more }, {}, { signal });
};
const done = (value: string) => ({ content: [{ type: 'text', text: value }] });

test('garbage on standard output between the messages is ignored', async () => {
  expect(await call('garbage')).toEqual(done('done'));
});

test.each([
  ['garbage instead of an answer', 'garbage-only'],
  ['no answer', 'mute'],
  ['an unsolicited answer', 'other-id'],
])('%s ends the call when its time is up, with an unknown outcome', async (_what, kind) => {
  const result = await call(kind, { timeout: 200 });
  expect(result).toMatchObject({ error: { type: 'ToolTimedOut' }, unknown: true });
});

test('ten megabytes on standard error are read in a few seconds', async () => {
  expect(await call('loud', { timeout: 15_000 })).toEqual(done('done'));
});

test('of two answers to one call the first counts, and the next call gets its own', async () => {
  expect(await call('twice')).toEqual(done('first'));
  expect(await call('twice')).toEqual(done('first'));
});

test('a result of 20 MB arrives whole within ten seconds, and its memory is given back', async () => {
  await call('large');
  const before = await memory();
  const started = Date.now();
  for (let n = 0; n < 6; n++) {
    const [part] = (await call('large', { timeout: 60_000 })).content;
    expect(part).toMatchObject({ type: 'text' });
    expect((part as { text: string }).text).toHaveLength(20 * MB);
  }
  expect((Date.now() - started) / 6).toBeLessThan(10_000);
  // Of the 120 MB only the last answer remains, which this function still holds.
  expect((await memory()) - before).toBeLessThan(60 * MB);
});

const MB = 1024 * 1024;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes in use, buffers included. */
async function memory(): Promise<number> {
  // The memory of buffers is released a turn after the collector has found them.
  collectGarbage();
  await nextTurn();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a message of too many values ends the server, and the call with it', async () => {
  const result = await call('many-values', { timeout: 60_000 });
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toContain('it sent a message of more than 100000 values');
});

test('a message without an end ends the server, and the call with it', async () => {
  const result = await call('endless', { timeout: 60_000 });
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
});

test('a server that sends requests without end and reads no answer is ended, and the call with it', async () => {
  const { signal } = new AbortController();
  const asker = fixture('hostile-server.mjs', ['deaf-asker']);
  const result = await callMcpTool(connections, asker, { ...spec, timeout: 20_000 }, {}, { signal });
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toContain('does not read');
});

test.each(['exit', 'exit-half-way'])('a server that ends in mid-call (%s) leaves the outcome unknown', async (kind) => {
  expect(await call(kind)).toMatchObject({
    error: { type: 'McpServerFailed', message: expect.stringContaining('exited with code 9') },
    unknown: true,
  });
});

test.each(['wrong', 'no-result'])('an answer that is not a result (%s) leaves the outcome unknown', async (kind) => {
  const result = await call(kind);
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toMatch(/^The MCP server `s` answered with an invalid result: /);
  expect(result.error?.message).not.toContain('\n');
});

describe('a result with deep JSON', () => {
  const deep = (kind: string, levels: number) => {
    const { signal } = new AbortController();
    const server = fixture('faulty-server.mjs', [kind, String(levels)]);
    return callMcpTool(connections, server, { ...spec, timeout: 20_000 }, {}, { signal });
  };

  test.each([201, 4300, 100_000])('leaves the outcome unknown with %i levels: the tool has run', async (levels) => {
    const structured = await deep('deep-structure', levels);
    expect(structured).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
    expect(structured.error?.message).toContain('with data nested deeper than 200 levels');
    expect(await deep('deep-content', levels)).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  });

  test.each([201, 4300, 100_000])('is left out of the list of tools with %i levels', async (levels) => {
    const [tool] = await discoverTools(connections, 's', fixture('faulty-server.mjs', ['deep-hints', String(levels)]));
    expect([tool?.inputSchema, tool?.annotations]).toEqual([{ type: 'object' }, {}]);
  });

  test.each([200, 4300, 100_000])('is passed on if a text holds %i levels, or the structure 200', async (levels) => {
    const { content, error } = await deep('deep-text', levels);
    expect(error).toBeUndefined();
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/^\[\[\[.*\]$/) },
      { type: 'text', text: '{"a":1}' },
    ]);
    expect((await deep('deep-structure', 200)).content).toHaveLength(2);
  });
});

test.each(['no-schema', 'text-schema', 'array-schema'])(
  'a tool whose schema is invalid (%s) takes any arguments',
  async (kind) => {
    const [tool] = await discoverTools(connections, 's', fixture('faulty-server.mjs', [kind]));
    expect(tool).toMatchObject({ name: 's.do', inputSchema: { type: 'object' } });
    expect(await call(kind)).toEqual(done('done'));
  },
);

test('a schema that cannot be compiled lets the call through', async () => {
  const [tool] = await discoverTools(connections, 's', fixture('faulty-server.mjs', ['odd-schema']));
  expect(tool?.inputSchema).toMatchObject({ properties: { a: { type: 'strng' } } });
  expect(await call('odd-schema', { inputSchema: tool?.inputSchema ?? {} })).toEqual(done('done'));
});

test('a schema over the limits accepts everything, and a non-linear pattern counts as matched', async () => {
  const log = collectedLog();
  const strangers = new McpConnections({ log });
  const schemaOf = async (kind: string) =>
    (await discoverTools(strangers, 's', fixture('faulty-server.mjs', [kind])))[0]?.inputSchema ?? {};
  try {
    expect(await schemaOf('huge-schema')).toEqual({ type: 'object' });
    const inputSchema = await schemaOf('look-ahead-schema');
    expect(await call('look-ahead-schema', { inputSchema })).toEqual(done('done'));
    expect(
      log.entries.map((one) => {
        const { tool, schema, problem } = one as { [field: string]: string };
        return [tool, schema, problem];
      }),
    ).toEqual([
      ['s.do', 'inputSchema', expect.stringContaining('at most 65536')],
      ['s.do', 'inputSchema/properties/a/pattern', expect.stringContaining('`^(?=x)`')],
    ]);
  } finally {
    await strangers.close();
  }
});

test('a server that crashes at each start is started less and less often, and each call is a certain failure', async () => {
  const record = newRecord();
  const crashing = fixture('faulty-server.mjs', ['crash-at-start'], { env: record.env });
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n++) {
    const result = await callMcpTool(connections, crashing, spec, {}, { signal });
    expect(result).toMatchObject({ error: { type: 'McpServerFailed' } });
    expect(result.error?.message).toContain('exited with code 1');
    expect(result.unknown).toBeUndefined();
  }
  const times = record.lines().map((line) => Number(line.split(' ')[2]));
  // Each use starts it twice: the second time without the question that makes old servers exit.
  const pauses = times.slice(1).map((time, i) => time - (times[i] as number));
  expect(times).toHaveLength(6);
  expect(pauses[1]).toBeGreaterThanOrEqual(100);
  expect(pauses[3]).toBeGreaterThanOrEqual(200);
});
