import { execFileSync } from 'node:child_process';
import { McpConnections } from '../../../activities/mcp/connections';
import type { OpenServer } from '../../../activities/mcp/open-server';
import { isAlive } from '../../is-alive';
import { until } from '../../until';
import { fixture, newRecord } from './servers';

async function pid(server: OpenServer): Promise<number> {
  const call = await server.callTool('pid', {}, { timeout: 5000 });
  if (call.kind !== 'result' || call.result.content[0]?.type !== 'text') throw new Error(call.kind);
  return Number(call.result.content[0].text);
}

const open: McpConnections[] = [];
function connectionsFor(idleTime?: number): McpConnections {
  const connections = new McpConnections(idleTime === undefined ? {} : { idleTime });
  open.push(connections);
  return connections;
}
afterEach(() => Promise.all(open.splice(0).map((connections) => connections.close())));

test('concurrent first uses of one definition share one process, whatever the order of its keys', async () => {
  const record = newRecord();
  const connections = connectionsFor();
  const definition = fixture('old-server.mjs', [], { env: record.env });
  const same = { env: record.env, args: definition.args ?? [], command: definition.command };
  const [a, b] = await Promise.all([connections.use(definition, pid), connections.use(same, pid)]);
  expect(a).toBe(b);
  expect(await connections.use(definition, pid)).toBe(a);
  expect(record.pids()).toEqual([a]);
});

test('different definitions have different processes', async () => {
  const connections = connectionsFor();
  const [a, b] = await Promise.all([
    connections.use(fixture('old-server.mjs'), pid),
    connections.use(fixture('old-server.mjs', ['--other']), pid),
  ]);
  expect(a).not.toBe(b);
});

test('an idle server is ended, and restarted at the next use', async () => {
  const connections = connectionsFor(50);
  const first = await connections.use(fixture('old-server.mjs'), pid);
  await until(() => !isAlive(first), 'the idle process to end');
  expect(await connections.use(fixture('old-server.mjs'), pid)).not.toBe(first);
});

test('a server in use is not idle, however long the use takes', async () => {
  const connections = connectionsFor(1);
  await connections.use(fixture('old-server.mjs'), async (server) => {
    const first = await pid(server);
    await connections.use(fixture('old-server.mjs'), pid);
    const idle = await connections.use(fixture('old-server.mjs', ['--other']), pid);
    await until(() => !isAlive(idle), 'another, idle server to end');
    expect(await pid(server)).toBe(first);
  });
});

test('a server that died is restarted at the next use', async () => {
  const connections = connectionsFor();
  const first = await connections.use(fixture('old-server.mjs'), async (server) => {
    const killed = await pid(server);
    process.kill(killed, 'SIGKILL');
    await server.closed;
    return killed;
  });
  expect(await connections.use(fixture('old-server.mjs'), pid)).not.toBe(first);
});

test('a call to a server that has ended is known not to have been sent', async () => {
  const call = await connectionsFor().use(fixture('old-server.mjs'), async (server) => {
    process.kill(await pid(server), 'SIGKILL');
    await server.closed;
    return server.callTool('pid', {}, { timeout: 5000 });
  });
  expect(call).toEqual({ kind: 'unsent', problem: 'was ended by SIGKILL' });
});

test('close leaves no process, even after a use that failed', async () => {
  const record = newRecord();
  const connections = connectionsFor();
  const definition = fixture('old-server.mjs', [], { env: record.env });
  await expect(connections.use(definition, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
  expect(record.pids().filter(isAlive)).toHaveLength(1);
  await connections.close();
  expect(record.pids().filter(isAlive)).toEqual([]);
});

test('a server that ignores the end of its input and SIGTERM is killed', async () => {
  const record = newRecord();
  const connections = connectionsFor();
  await connections.use(fixture('old-server.mjs', ['--stubborn'], { env: record.env }), pid);
  await connections.close();
  expect(record.lines()).toContain('SIGTERM');
  expect(record.pids().filter(isAlive)).toEqual([]);
});

test('a server is in a separate process group, and ends with all processes that it started', async () => {
  const record = newRecord();
  const connections = connectionsFor();
  const { command, args = [] } = fixture('old-server.mjs', ['--stubborn']);
  // The shell ends at SIGTERM, its child does not.
  const shell = { command: '/bin/sh', args: ['-c', `"$0" "$@"; true`, command, ...args], env: record.env };
  const server = await connections.use(shell, pid);
  const groupOf = (id: number) => execFileSync('ps', ['-o', 'pgid=', '-p', String(id)], { encoding: 'utf8' }).trim();
  expect(groupOf(server)).not.toBe(groupOf(process.pid));
  await connections.close();
  await until(() => !isAlive(server), 'its end');
});

test('close waits for a server that is just being ended for being idle', async () => {
  const record = newRecord();
  const connections = connectionsFor(1);
  await connections.use(fixture('old-server.mjs', ['--stubborn'], { env: record.env }), pid);
  await until(() => record.lines().includes('SIGTERM'), 'SIGTERM');
  await connections.close();
  expect(record.pids().filter(isAlive)).toEqual([]);
});

test('a caller that gives up does not end the start that others wait for', async () => {
  const connections = connectionsFor();
  const abort = new AbortController();
  const given = connections.use(fixture('old-server.mjs'), pid, abort.signal);
  const other = connections.use(fixture('old-server.mjs'), pid);
  abort.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  expect(isAlive(await other)).toBe(true);
});
