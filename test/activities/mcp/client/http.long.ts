import { callMcpTool, type McpCallContext } from '../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../activities/mcp/connections';
import type { McpHttpServer } from '../../../../agent/define/mcp-server';
import type { ToolOf } from '../../../../agent/protocol/manifest';
import { closeAfterTest } from '../../../close-after-test';
import { until } from '../../../until';
import { listenMcp, text } from '../http-server';
import { collectedLog, MEDIA_PARTS, specOf } from '../servers';

const log = collectedLog();
async function serve(...given: Parameters<typeof listenMcp>) {
  const connections = closeAfterTest(new McpConnections({ log }));
  const server = closeAfterTest(await listenMcp(...given));
  const call = async (tool: string, more: Partial<ToolOf<'mcp'>> = {}, context: Partial<McpCallContext> = {}) => {
    const definition: McpHttpServer = { url: server.url };
    const spec = await specOf(connections, definition, tool, more);
    return callMcpTool(connections, definition, spec, {}, { signal: new AbortController().signal, ...context });
  };
  return { server, connections, call };
}

const media = [
  { type: 'image', data: 'aW1n', mimeType: 'image/png' },
  { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'cGRm' } },
  { type: 'resource_link', uri: 'file:///b.txt', name: 'b.txt' },
];

test.each([
  ['a stream', false],
  ['plain JSON', true],
])('media, resources and links become parts, answered as %s', async (_how, json) => {
  const { call } = await serve({ media: () => ({ content: media }) }, { json });
  expect((await call('media')).content).toEqual(MEDIA_PARTS);
});

test.each([
  ['a stream', false],
  ['plain JSON', true],
])('of a large answer, as %s, 20 MB arrive within ten seconds, and 70 MB end the call', async (_how, json) => {
  const large = (size: number) => () => ({ content: [text('x'.repeat(size * 1024 * 1024))] });
  const { call } = await serve({ large: large(20), huge: large(70) }, { json });
  const started = Date.now();
  expect((await call('large')).content).toEqual([{ type: 'text', text: expect.stringMatching(/^x{20}/) }]);
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(await call('huge')).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
});

test('one session serves concurrent calls, and is ended when the connections are closed', async () => {
  const { server, connections, call } = await serve({ hi: () => ({ content: [text('hi')] }) });
  const results = await Promise.all([call('hi'), call('hi'), call('hi')]);
  expect(results).toEqual(Array(3).fill({ content: [text('hi')] }));
  expect(server.count('initialize')).toBe(1);
  await connections.close();
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('an abort reaches the server and rejects with the reason of the signal', async () => {
  let state = 'idle';
  const hang = ({ signal }: { signal: AbortSignal }) => {
    state = 'running';
    signal.addEventListener('abort', () => {
      state = 'cancelled';
    });
    return new Promise<never>(() => {});
  };
  const { server, call } = await serve({ hang });
  const abort = new AbortController();
  const calling = call('hang', {}, { signal: abort.signal });
  calling.catch(() => {});
  await until(() => state === 'running', 'the call');
  const reason = new Error('the run was cancelled');
  abort.abort(reason);
  await expect(calling).rejects.toBe(reason);
  await until(() => state === 'cancelled', 'the cancellation');
  expect(server.count('notifications/cancelled')).toBe(1);
});

test('a call whose stream is cut is resumed, and nothing is lost or done twice', async () => {
  const seen: unknown[] = [];
  let [runs, finish] = [0, () => {}];
  const work = async ({ progress }: { progress(said: { progress: number }): Promise<void> }) => {
    runs++;
    await progress({ progress: 1 });
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    await progress({ progress: 2 });
    return { content: [text('done')] };
  };
  const { server, call } = await serve({ work }, { resumable: true });
  const calling = call('work', {}, { onProgress: ({ progress }) => seen.push(progress) });
  await until(() => seen.length === 1, 'the first progress');
  server.cutStreams();
  finish();
  expect(await calling).toEqual({ content: [text('done')] });
  expect({ seen, runs }).toEqual({ seen: [1, 2], runs: 1 });
  expect(server.requests.some(({ headers }) => headers['last-event-id'] !== undefined)).toBe(true);
  expect(server.count('initialize')).toBe(1);
});

test('a call whose stream is cut permanently ends at once, with an unknown outcome', async () => {
  const started: string[] = [];
  const hang = () => {
    started.push('x');
    return new Promise<never>(() => {});
  };
  const { server, call } = await serve({ hang, hi: () => ({ content: [text('hi')] }) });
  const calling = call('hang');
  await until(() => started.length === 1, 'the call');
  server.cutStreams();
  expect(await calling).toMatchObject({
    error: { type: 'McpServerFailed', message: 'The MCP server `s` ended during the call: the connection was cut.' },
    unknown: true,
  });
  expect(await call('hi')).toEqual({ content: [text('hi')] });
});

test('a resumption that the server rejects ends the call at once, with an unknown outcome', async () => {
  let finish = () => {};
  const hang = () =>
    new Promise<never>((resolve) => {
      finish = resolve as () => void;
    });
  const { server, call } = await serve({ hang }, { resumable: true });
  const calling = call('hang');
  await until(() => server.count('tools/call') === 1, 'the call');
  server.forgetSessions();
  server.cutStreams();
  const { error, unknown } = await calling;
  expect({ type: error?.type, unknown }).toEqual({ type: 'McpServerFailed', unknown: true });
  finish();
});

test('an expired session is replaced once, and its calls are made in the new one', async () => {
  let runs = 0;
  const { server, call, connections } = await serve({ hi: () => ({ content: [text(`hi ${++runs}`)] }) });
  const spec = await specOf(connections, { url: server.url }, 'hi');
  server.forgetSessions();
  const signal = new AbortController().signal;
  const both = [1, 2].map(() => callMcpTool(connections, { url: server.url }, spec, {}, { signal }));
  expect((await Promise.all(both)).map(({ error }) => error)).toEqual([undefined, undefined]);
  expect({ runs, sessions: server.count('initialize') }).toEqual({ runs: 2, sessions: 2 });
  server.forgetSessions();
  expect((await call('hi')).content).toEqual([text('hi 3')]);
});

test('a server that forgets each session at once is a certain failure after the second one', async () => {
  let forget = () => {};
  const onRequest = (rpc?: string) => void (rpc === 'tools/call' && forget());
  const { server, call } = await serve({ hi: () => ({ content: [text('hi')] }) }, { onRequest });
  forget = server.forgetSessions;
  const result = await call('hi');
  expect(result.error?.type).toBe('McpServerFailed');
  expect(result.error?.message).toContain('it no longer knows the session (HTTP 404: Session not found)');
  expect(result.unknown).toBeUndefined();
  expect(server.count('initialize')).toBe(2);
});

test('a server that vanishes between calls is a certain failure', async () => {
  const { server, connections } = await serve({ hi: () => ({ content: [text('hi')] }) });
  const spec = await specOf(connections, { url: server.url }, 'hi');
  await server.close();
  // Until the kept-alive sockets are known to be closed too, a request may have been read.
  const refused = () => fetch(server.url).catch(({ cause }) => cause.code);
  await until(async () => (await refused()) === 'ECONNREFUSED', 'the server to refuse connections');
  const signal = new AbortController().signal;
  const result = await callMcpTool(connections, { url: server.url }, spec, {}, { signal });
  expect(result).toMatchObject({
    error: {
      type: 'McpServerFailed',
      message: 'The call did not reach the MCP server `s`: nothing listens there (ECONNREFUSED).',
    },
  });
  expect(result.unknown).toBeUndefined();
});

test('progress extends a call past its timeout, and silence ends it', async () => {
  const seen: unknown[] = [];
  const work = async ({ progress }: { progress(said: object): Promise<void> }) => {
    for (let n = 1; n <= 6; n++) {
      await progress({ progress: n, total: 6, message: `step ${n}` });
      await new Promise((next) => setTimeout(next, 400));
    }
    return { content: [text('done')] };
  };
  const { call } = await serve({ work, hang: () => new Promise<never>(() => {}) } as never);
  const onProgress = (said: unknown) => seen.push(said);
  expect(await call('work', { timeout: 2000 }, { onProgress })).toEqual({ content: [text('done')] });
  expect(seen).toHaveLength(6);
  expect(seen.at(-1)).toEqual({ progress: 6, total: 6, message: 'step 6' });
  expect((await call('hang', { timeout: 200 })).error?.message).toBe('`s_hang` did not answer within 0.2 s.');
});

test('endless progress does not extend a call forever, and the server is told', async () => {
  let cancelled = false;
  const work = async ({ progress, signal }: { progress(said: object): Promise<void>; signal: AbortSignal }) => {
    for (let n = 1; !signal.aborted; n++) {
      await progress({ progress: n });
      await new Promise((next) => setTimeout(next, 20));
    }
    cancelled = true;
    return { content: [] };
  };
  const { call } = await serve({ work } as never);
  expect(await call('work', { timeout: 1000 })).toMatchObject({
    error: { type: 'ToolTimedOut', message: '`s_work` did not answer within 10 s.' },
    unknown: true,
  });
  await until(() => cancelled, 'the cancellation');
});

test('changed tools are noted in the log, and the next list has them', async () => {
  const tools: Parameters<typeof listenMcp>[0] = { hi: () => ({ content: [text('hi')] }) };
  const { server, connections, call } = await serve(tools);
  await call('hi');
  await until(() => server.requests.some(({ method }) => method === 'GET'), 'the stream of news');
  tools.new = () => ({ content: [text('new')] });
  const before = log.entries.length;
  await server.notify('notifications/tools/list_changed');
  await until(() => log.entries.slice(before).some((entry) => JSON.stringify(entry).includes(server.url)), 'the note');
  await specOf(connections, { url: server.url }, 'new');
});
