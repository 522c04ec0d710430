import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { isAlive } from '../../is-alive';
import { until } from '../../until';
import { collectedLog, fixture, newFolder, newRecord } from './servers';

const log = collectedLog();
const connections = new McpConnections({ log });
afterAll(() => connections.close());

async function failure(definition: McpStdioServer) {
  const error = await discoverTools(connections, 'files', definition).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ name: 'HoldfastError', type: 'McpServerFailed', data: { server: 'files' } });
  return error.data as { command: string; problem: string };
}

test('a command that does not exist is named at once', async () => {
  // The client is loaded with the first server.
  await failure({ command: '/nowhere/first' });
  const started = Date.now();
  expect(await failure({ command: '/nowhere/server', args: ['--root', '/a b'] })).toEqual({
    server: 'files',
    command: '/nowhere/server --root "/a b"',
    problem: 'command `/nowhere/server` not found',
  });
  expect(Date.now() - started).toBeLessThan(1000);
});

test('a working directory that does not exist is not mistaken for a missing command', async () => {
  const { problem } = await failure(fixture('old-server.mjs', [], { cwd: '/nowhere' }));
  expect(problem).toBe('working directory `/nowhere` not found');
});

test('a command that may not be executed is named', async () => {
  expect((await failure({ command: newFolder() })).problem).toMatch(/may not be executed/);
});

test('a server that exits at once is reported with exit code and last output, without its environment', async () => {
  const definition = fixture('start-fault.mjs', ['exit', '--key=sk-12345'], { env: { API_KEY: 'sk-12345' } });
  const { command, problem } = await failure(definition);
  expect(problem).toBe('exited with code 3: Error: the key *** was refused');
  expect(command).toContain('start-fault.mjs exit --key=***');
  expect(JSON.stringify(log.entries)).toContain('the key *** was refused');
  expect(JSON.stringify(log.entries)).not.toContain('sk-12345');
});

test('for a crash in Node the error is reported, not the stack or the version', async () => {
  expect((await failure(fixture('start-fault.mjs', ['crash']))).problem).toBe('exited with code 1: Error: no database');
});

test('colours of a terminal are not part of what went wrong', async () => {
  expect((await failure(fixture('start-fault.mjs', ['colours']))).problem).toBe(
    'exited with code 1: Error: the database is away',
  );
});

test('a silent server is given up after startTimeout', async () => {
  const { problem } = await failure(fixture('start-fault.mjs', ['silent'], { startTimeout: 300 }));
  expect(problem).toBe('did not answer in 0.3 s');
});

test('garbage on standard output is shown', async () => {
  const { problem } = await failure(fixture('start-fault.mjs', ['garbage']));
  expect(problem).toBe(
    'exited with code 1: its standard output holds, instead of MCP messages, `Server listening on port 3000`',
  );
});

test('a server that does not list its tools is reported', async () => {
  const { problem } = await failure(fixture('line-server.mjs', ['mute-list'], { startTimeout: '1s' }));
  expect(problem).toBe('did not list its tools: no answer in 1 s');
});

test('a failed start is not remembered', async () => {
  const program = join(newFolder(), 'server.mjs');
  const definition = { command: process.execPath, args: [program] };
  expect((await failure(definition)).problem).toMatch(/^exited with code 1: Error: Cannot find module/);
  copyFileSync(fixture('line-server.mjs').args?.[0] as string, program);
  expect(await discoverTools(connections, 'files', definition)).toHaveLength(1);
});

test('an old server is started once, even when it is seen for the first time', async () => {
  const record = newRecord();
  await discoverTools(connections, 'files', fixture('old-server.mjs', [], { env: record.env }));
  expect(record.pids()).toHaveLength(1);
});

test('an old server that exits on the question for its era is started again once, and not asked again later', async () => {
  const record = newRecord();
  const definition = fixture('line-server.mjs', ['touchy'], { env: record.env });
  const first = new McpConnections();
  expect(await discoverTools(first, 'files', definition)).toHaveLength(1);
  await first.close();
  expect(record.pids()).toHaveLength(2);
  const second = new McpConnections();
  expect(await discoverTools(second, 'files', definition)).toHaveLength(1);
  await second.close();
  expect(record.pids()).toHaveLength(3);
  expect(record.lines().filter((line) => line === 'server/discover')).toHaveLength(1);
});

test('a server of the 2026 protocol is used without the old handshake', async () => {
  const record = newRecord();
  const definition = fixture('line-server.mjs', ['modern'], { env: record.env });
  expect(await discoverTools(connections, 'files', definition)).toHaveLength(1);
  expect(record.lines().slice(1)).toEqual(['server/discover', 'tools/list']);
});

describe('a server that begins to read late, after it was asked for its era and then for the handshake of 2025', () => {
  /** All begin at once, since each takes its time. */
  const kinds = ['modern', 'hasty', 'both', 'mute'] as const;
  const begun = new Map<string, { record: ReturnType<typeof newRecord>; tools: Promise<unknown[]> }>();
  const slow = (kind: string, env: { [name: string]: string }) =>
    fixture('line-server.mjs', [kind], { startTimeout: '16s', env: { SLOW: '8500', ...env } });
  const first = new McpConnections();
  beforeAll(() => {
    for (const kind of kinds) {
      const record = newRecord();
      const tools = discoverTools(first, 'files', slow(kind, record.env));
      tools.catch(() => undefined);
      begun.set(kind, { record, tools });
    }
  });
  afterAll(() => first.close());

  /** The tools that it lists, and what it was asked. */
  async function foundOf(kind: (typeof kinds)[number]) {
    const { record, tools } = begun.get(kind) ?? {};
    expect(await tools).toHaveLength(1);
    return record as ReturnType<typeof newRecord>;
  }

  /** How often it has been asked for its era once it has started again, at once this time. */
  async function askedInAll(kind: (typeof kinds)[number], record: ReturnType<typeof newRecord>): Promise<number> {
    const second = new McpConnections();
    expect(await discoverTools(second, 'files', slow(kind, record.env))).toHaveLength(1);
    await second.close();
    return record.lines().filter((line) => line === 'server/discover').length;
  }

  for (const kind of ['modern', 'hasty'] as const) {
    test(`is used with the protocol of 2026 if it refuses the handshake (${kind})`, async () => {
      const record = await foundOf(kind);
      expect(record.lines().slice(1)).toEqual(['server/discover', 'initialize', 'tools/list']);
    });
  }

  test('is used with the older protocol if it accepts the handshake, and asked again the next time', async () => {
    const record = await foundOf('both');
    expect(record.lines().slice(1)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(await askedInAll('both', record)).toBe(2);
  });

  test('is an old one if it never answers the first question, and is not asked again', async () => {
    const record = await foundOf('mute');
    expect(record.lines().slice(1)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(await askedInAll('mute', record)).toBe(1);
  });
});

test('shutdown ends a pending start and leaves no process', async () => {
  const record = newRecord();
  const closing = new McpConnections();
  const definition = fixture('line-server.mjs', ['mute-list'], { env: record.env });
  const listing = discoverTools(closing, 'files', definition).catch((error) => error);
  await until(() => record.pids().length === 1, 'the server to be started');
  await closing.close();
  expect(await listing).toMatchObject({ type: 'McpServerFailed' });
  expect(record.pids().filter(isAlive)).toEqual([]);
  expect(await discoverTools(closing, 'files', definition).catch((error) => error.data.problem)).toBe(
    'the worker shuts down',
  );
});

describe('the processes that a server started', () => {
  /** A server that a shell starts, after a program that outlives it. */
  const withHelper = (kind: string, env: { [name: string]: string }, last: string): McpStdioServer => {
    const server = fixture('line-server.mjs', [kind], { env });
    const script = `sleep 600 & echo "start $!" >> "$RECORD"; ${last}`;
    return { ...server, command: 'sh', args: ['-c', script, server.command, ...(server.args ?? [])] };
  };

  test('end with it', async () => {
    const record = newRecord();
    const own = new McpConnections();
    await discoverTools(own, 'files', withHelper('plain', record.env, 'exec "$0" "$@"'));
    await own.close();
    expect(record.pids()).toHaveLength(2);
    await until(() => !record.pids().some(isAlive), 'the processes to end');
  });

  test('end when it crashes', async () => {
    const record = newRecord();
    const own = new McpConnections();
    const definition = withHelper('plain', record.env, 'exec "$0" "$@"');
    await discoverTools(own, 'files', definition);
    process.kill(record.pids()[1] as number, 'SIGKILL');
    await until(() => !record.pids().some(isAlive), 'the processes to end');
    await own.close();
  });

  test('have the same time as it to end by themselves', async () => {
    const record = newRecord();
    const own = new McpConnections();
    await discoverTools(own, 'files', withHelper('slow-end', record.env, '"$0" "$@"; true'));
    await own.close();
    expect(record.lines()).toContain('end');
    await until(() => !record.pids().some(isAlive), 'the processes to end');
  });
});
