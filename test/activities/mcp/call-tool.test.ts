import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callMcpTool } from '../../../activities/mcp/call-tool';
import { McpConnections } from '../../../activities/mcp/connections';
import type { ToolOf } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { isAlive } from '../../is-alive';
import { until } from '../../until';
import { fixture, MEDIA_PARTS, newFolder, newRecord, published, specOf } from './servers';

const connections = new McpConnections();
afterAll(() => connections.close());

const record = newRecord();
const old = fixture('old-server.mjs', [], { env: { ...record.env, COLOUR: 'green' }, cwd: newFolder() });
const never = new AbortController().signal;

async function call(tool: string, args: JsonObject = {}, more: Partial<ToolOf<'mcp'>> = {}, signal = never) {
  return callMcpTool(connections, old, await specOf(connections, old, tool, more), args, { signal });
}
const text = (value: string) => ({ type: 'text', text: value });

test('server-filesystem writes, reads and lists real files, and says each thing once', async () => {
  const folder = newFolder();
  const files = published('filesystem', [folder]);
  const run = async (tool: string, args: JsonObject) =>
    callMcpTool(connections, files, await specOf(connections, files, tool), args, { signal: never });
  const path = join(folder, 'a.txt');
  await run('write_file', { path, content: 'one\ntwo' });
  expect(await run('read_text_file', { path })).toEqual({ content: [text('one\ntwo')] });
  expect(await run('list_directory', { path: folder })).toEqual({ content: [text('[FILE] a.txt')] });
  writeFileSync(join(folder, 'b.png'), 'img');
  expect(await run('read_media_file', { path: join(folder, 'b.png') })).toEqual({
    content: [{ type: 'media', mediaType: 'image/png', data: Buffer.from('img').toString('base64') }],
  });
  const outside = await run('read_text_file', { path: '/etc/hostname' });
  expect(outside.error).toMatchObject({ type: 'ToolFailed', message: expect.stringContaining('Access denied') });
  expect(outside.unknown).toBeUndefined();
});

test('server-everything answers with text, image and structured content', async () => {
  const everything = published('everything', ['stdio']);
  const run = async (tool: string, args: JsonObject) =>
    callMcpTool(connections, everything, await specOf(connections, everything, tool), args, { signal: never });
  expect(await run('echo', { message: 'hi' })).toEqual({ content: [text('Echo: hi')] });
  expect((await run('get-tiny-image', {})).content).toContainEqual(
    expect.objectContaining({ type: 'media', mediaType: 'image/png' }),
  );
  expect((await run('get-structured-content', { location: 'Chicago' })).content).toHaveLength(1);
});

test('a server gets a minimal environment, what its definition adds, and its working directory', async () => {
  process.env.HOLDFAST_SECRET = 'not for servers';
  const { content } = await call('env');
  const env = JSON.parse((content[0] as { text: string }).text);
  expect(env).toMatchObject({ COLOUR: 'green', PATH: process.env.PATH });
  expect(env).not.toHaveProperty('HOLDFAST_SECRET');
  expect((await call('cwd')).content).toEqual([text(old.cwd as string)]);
});

test('arguments that do not fit never reach the server', async () => {
  const result = await call('fail', { row: 'seven' });
  expect(result.error).toMatchObject({ type: 'InvalidArguments', message: expect.stringContaining('row') });
  expect(result.error?.message).toMatch(/^The arguments do not fit/);
  expect(result.unknown).toBeUndefined();
});

test('an error of the tool is an error with its text', async () => {
  const error = { type: 'ToolFailed', message: 'no such row' };
  expect(await call('fail', { row: 7 })).toEqual({ content: [text('no such row')], error });
  expect((await call('fail_silently')).error?.message).toBe('`s_fail_silently` failed and gave no reason.');
});

test('an error of the protocol is a certain failure', async () => {
  const spec = await specOf(connections, old, 'pid', { mcp: { server: 's', tool: 'lost', startTimeout: 30_000 } });
  const result = await callMcpTool(connections, old, spec, {}, { signal: never });
  expect(result.error?.type).toBe('ToolFailed');
  expect(result.error?.message).toMatch(/^The MCP server `s` refused the call: .*there is no tool lost/);
  expect(result.unknown).toBeUndefined();
});

test('structured content is shown as JSON unless the content says the same', async () => {
  expect((await call('structured')).content).toEqual([text('{"sum":3}')]);
  expect((await call('structured_twice')).content).toHaveLength(1);
  expect((await call('structured_otherwise')).content).toEqual([text('three'), text('{"sum":3}')]);
  expect((await call('wrapped')).content).toEqual([text('hello')]);
  expect((await call('wrapped_list')).content).toEqual([text('a'), text('2')]);
});

test('a result that does not fit its output schema is not lost', async () => {
  expect(await call('structured_misfit')).toEqual({ content: [text('{"wrong":true}')] });
});

test('media, resources and links become parts', async () => {
  expect((await call('media')).content).toEqual(MEDIA_PARTS);
});

test('progress that the server reports is passed on', async () => {
  const seen: unknown[] = [];
  const spec = await specOf(connections, old, 'progress');
  await callMcpTool(connections, old, spec, {}, { signal: never, onProgress: (progress) => seen.push(progress) });
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
});

test('a server that dies during a call leaves the outcome unknown, and only the next call restarts it', async () => {
  const starts = record.pids().length;
  expect(await call('crash')).toMatchObject({
    error: {
      type: 'McpServerFailed',
      message: 'The MCP server `s` ended during the call: exited with code 7: fatal: disk full.',
    },
    unknown: true,
  });
  expect(record.pids()).toHaveLength(Math.max(starts, 1));
  expect((await call('pid')).error).toBeUndefined();
  expect(record.pids()).toHaveLength(Math.max(starts, 1) + 1);
});

test('a call that is never answered times out, with an unknown outcome, and the server is told', async () => {
  const before = record.lines().filter((line) => line === 'cancelled').length;
  expect(await call('hang', {}, { timeout: 200 })).toMatchObject({
    error: { type: 'ToolTimedOut', message: '`s_hang` did not answer within 0.2 s.' },
    unknown: true,
  });
  await until(() => record.lines().filter((line) => line === 'cancelled').length > before, 'the cancellation');
});

test('a server that is killed during a call leaves the outcome unknown', async () => {
  const calls = record.lines().length;
  const calling = call('hang');
  await until(() => record.lines().slice(calls).includes('hang'), 'the call');
  process.kill(record.pids().at(-1) as number, 'SIGKILL');
  expect(await calling).toMatchObject({
    error: { message: 'The MCP server `s` ended during the call: was ended by SIGKILL.' },
    unknown: true,
  });
});

test('an abort reaches the server and rejects with the reason of the signal', async () => {
  const count = (word: string) => record.lines().filter((line) => line === word).length;
  const before = { hang: count('hang'), cancelled: count('cancelled') };
  const abort = new AbortController();
  const reason = new Error('the run was cancelled');
  const calling = call('hang', {}, {}, abort.signal);
  calling.catch(() => {});
  await until(() => count('hang') > before.hang, 'the call');
  abort.abort(reason);
  await expect(calling).rejects.toBe(reason);
  await until(() => count('cancelled') > before.cancelled, 'the cancellation');
  expect((await call('pid')).error).toBeUndefined();
});

test('a call that was aborted before it began never reaches the server', async () => {
  const spec = await specOf(connections, old, 'hang');
  const calls = record.lines().length;
  const reason = new Error('too late');
  const calling = callMcpTool(connections, old, spec, {}, { signal: AbortSignal.abort(reason) });
  await expect(calling).rejects.toBe(reason);
  await call('pid');
  expect(record.lines()).toHaveLength(calls);
});

test('an answer that is not a result leaves the outcome unknown', async () => {
  const nonsense = fixture('line-server.mjs', ['nonsense']);
  const spec = await specOf(connections, nonsense, 'ask');
  const result = await callMcpTool(connections, nonsense, spec, {}, { signal: never });
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toMatch(/^The MCP server `s` answered with an invalid result: .*isError/);
  expect(result.error?.message).not.toContain('\n');
});

test('a server that cannot be started is a certain failure', async () => {
  const spec = await specOf(connections, old, 'pid');
  const result = await callMcpTool(connections, { command: '/nowhere/server' }, spec, {}, { signal: never });
  expect(result.error).toMatchObject({
    type: 'McpServerFailed',
    message: expect.stringContaining('`s` did not start (command `/nowhere/server` not found)'),
  });
  expect(result.unknown).toBeUndefined();
});

test('a server from before 2026, which would wait for the answer, cannot ask anyone', async () => {
  expect((await call('client')).content).toEqual([text('{}')]);
});

test('a server that wants to be called again forever is a failure that the model can read', async () => {
  const modern = fixture('line-server.mjs', ['modern']);
  const spec = await specOf(connections, modern, 'ask');
  expect((await callMcpTool(connections, modern, spec, {}, { signal: never })).error).toEqual({
    type: 'ToolFailed',
    message: 'The MCP server `s` refused the call: it wanted to be called again 11 times in a row.',
  });
});

test('close ends a server during a call', async () => {
  const closing = new McpConnections();
  const own = newRecord();
  const server = fixture('old-server.mjs', [], { env: own.env });
  const spec = await specOf(closing, server, 'hang');
  const calling = callMcpTool(closing, server, spec, {}, { signal: never });
  await until(() => own.lines().includes('hang'), 'the call');
  await closing.close();
  expect(await calling).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(own.pids().filter(isAlive)).toEqual([]);
});
