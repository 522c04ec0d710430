import { getRequestListener } from '@hono/node-server';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { INVALID, OpenRequests } from '../../../../../activities/mcp/client/traffic/open-requests';
import { overEvents, overHttp, overOpenEvents, overSse, overStdio, overTwoEvents } from './raw-call';

const RESULT = '{"content":[{"type":"text","text":"done"}]}';
const DONE = { content: [{ type: 'text', text: 'done' }] };

const ways = [
  ['stdio', overStdio],
  ['HTTP', overHttp],
  ['a stream over HTTP', overEvents],
  ['a stream over HTTP that stays open', overOpenEvents],
  ['SSE', overSse],
] as const;

describe.each(ways)('over %s', (_way, over) => {
  test.each([
    ['without `jsonrpc`', `{"id":ID,"result":${RESULT}}`],
    ['of another version of JSON-RPC', `{"jsonrpc":2.0,"id":ID,"result":${RESULT}}`],
    ['whose id is a text', `{"jsonrpc":"2.0","id":"ID","result":${RESULT}}`],
    ['whose id is null', `{"jsonrpc":"2.0","id":null,"result":${RESULT}}`],
    ['in a batch', `[{"jsonrpc":"2.0","id":ID,"result":${RESULT}}]`],
    [
      'behind a notification in a batch',
      `[{"jsonrpc":"2.0","method":"notifications/message","params":null},{"jsonrpc":"2.0","id":ID,"result":${RESULT}}]`,
    ],
    ['with further fields', `{"jsonrpc":"2.0","id":ID,"method":"","error":"","result":${RESULT},"time":3}`],
    [
      'whose `_meta` is a list',
      `{"jsonrpc":"2.0","id":ID,"result":{"_meta":[],"content":[{"type":"text","text":"done"}]}}`,
    ],
  ])('an answer %s is one', async (_what, line) => {
    expect(await over(line)).toEqual(DONE);
  });

  test.each([
    [
      'with a code that is a text',
      '{"jsonrpc":"2.0","id":ID,"error":{"code":"-32602","message":"no such row"}}',
      'no such row',
    ],
    [
      'with a code that is a word',
      '{"jsonrpc":"2.0","id":ID,"error":{"code":"NO_ROW","message":"no such row"}}',
      'no such row',
    ],
    ['without a code', '{"jsonrpc":"2.0","id":ID,"error":{"message":"no such row"}}', 'no such row'],
    ['without a message', '{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"reason":"row"}}', '{"code":-1,"reason":"row"}'],
    ['that is a text', '{"jsonrpc":"2.0","id":ID,"error":"no such row"}', 'no such row'],
    ['without an id', '{"jsonrpc":"2.0","error":{"code":-32603,"message":"no such row"}}', 'no such row'],
    ['whose id is null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no such row"}}', 'no such row'],
  ])('an error %s refuses the call', async (_what, line, said) => {
    const result = await over(line);
    expect(result.error).toMatchObject({ type: 'ToolFailed', message: expect.stringContaining(said) });
    expect(result.error?.message).toMatch(/^The MCP server `s` refused the call: /);
    expect(result.unknown).toBeUndefined();
  });

  test.each([
    ['a result that is null', '{"jsonrpc":"2.0","id":ID,"result":null}', '"result":null'],
    ['neither a result nor an error', '{"jsonrpc":"2.0","id":ID}', '{"jsonrpc":"2.0","id":'],
    [
      'both a result and an error',
      `{"jsonrpc":"2.0","id":ID,"result":${RESULT},"error":{"code":1,"message":"no"}}`,
      '"error":{',
    ],
    ['an error that is a number', '{"jsonrpc":"2.0","id":ID,"error":7}', '"error":7'],
  ])('%s ends the call at once, with what the server sent', async (_what, line, said) => {
    const result = await over(line);
    expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
    expect(result.error?.message).toMatch(/^The MCP server `s` answered with an invalid result: it sent `/);
    expect(result.error?.message).toContain(said);
  });
});

test.each([
  ['the answer to another request', `{"jsonrpc":"2.0","id":4711,"result":${RESULT}}`],
  ['JSON that is not a message', '{}'],
  ['a list', '[]'],
  ['a text', '"done"'],
])('over HTTP %s ends the call at once: no other answer can come', async (_what, line) => {
  for (const over of [overHttp, overEvents]) {
    const result = await over(line);
    expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
    expect(result.error?.message).toContain(`it sent \`${line}\``);
  }
});

test('an event that is not JSON ends the call with what it says, unless the answer follows', async () => {
  const result = await overEvents('Internal error');
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toBe('The MCP server `s` answered with an invalid result: it sent `Internal error`.');
  expect(await overTwoEvents('ping', `{"id":ID,"result":${RESULT}}`)).toEqual(DONE);
});

test('an answer of several lines, and one that is nested too deep, are read as events', async () => {
  expect(await overEvents(`{"jsonrpc":"2.0","id":ID,\n"result":\n${RESULT}}`)).toEqual(DONE);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const result = await overEvents(
    `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"a":${deep}}}}`,
  );
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
});

test('over stdio an answer that is not JSON ends the call at once', async () => {
  const result = await overStdio('{"jsonrpc": "2.0", "id": ID, "result": {"structuredContent": {"mean": NaN}}}');
  expect(result).toMatchObject({ error: { type: 'McpServerFailed' }, unknown: true });
  expect(result.error?.message).toContain('"mean": NaN');
});

test('over stdio lines of a log that look like answers are none', async () => {
  const logged = [
    '{"id":ID,"error":"retried","level":30}',
    '{"id":ID}',
    '{"jsonrpc":"2.0"}',
    '{"error":{"code":1,"message":"a"}}',
  ];
  expect(await overStdio(`${logged.join('\n')}\n{"jsonrpc":"2.0","id":ID,"result":${RESULT}}`)).toEqual(DONE);
});

test('over stdio an error about a notification is not one about the request that follows', async () => {
  const unknown = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}';
  const answers = { 'notifications/initialized': unknown };
  expect(await overStdio(`{"jsonrpc":"2.0","id":ID,"result":${RESULT}}`, answers)).toEqual(DONE);
});

describe('an answer without an id', () => {
  const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
  const failure = { jsonrpc: '2.0', error: { code: -32600, message: 'no' } };

  test('is that of the only request', () => {
    const requests = new OpenRequests();
    for (const id of [1, 2]) requests.sent(request(id));
    expect(requests.read({ ...failure, id: 1 })).toMatchObject({ id: 1 });
    expect(requests.read(failure)).toMatchObject({ id: 2 });
  });

  test('is that of none, if there are several', () => {
    const requests = new OpenRequests();
    for (const id of [1, 2]) requests.sent(request(id));
    expect(requests.read(failure)).toEqual(failure);
    requests.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    // This may be the answer to that.
    expect(requests.read(failure)).toEqual(failure);
    expect(requests.read(failure)).toMatchObject({ id: 2 });
  });
});

test('what cannot be read is told for the request alone that it answers', () => {
  const requests = new OpenRequests();
  requests.sent({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(requests.read({ id: '1', result: 'pong' })).toMatchObject({ id: 1, error: { data: INVALID } });
  expect(() => requests.read({ id: '1', result: 'pong' })).toThrow();
});

test('an answer over HTTP is read as well where a gateway runs, whose server replaces the class of responses', async () => {
  getRequestListener(() => new Response());
  expect(Object.getOwnPropertyDescriptor(Response.prototype, 'json')).toMatchObject({ writable: false });
  expect(await overHttp(`{"jsonrpc":"2.0","id":ID,"result":${RESULT}}`)).toEqual(DONE);
});
