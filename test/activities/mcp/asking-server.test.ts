import { callMcpTool, type McpCallContext } from '../../../activities/mcp/call-tool';
import { McpConnections } from '../../../activities/mcp/connections';
import type { ResumeTool } from '../../../agent/protocol/calls/tool-call';
import type { JsonObject } from '../../../agent/values/json';
import { until } from '../../until';
import { fixture, newRecord, specOf } from './servers';

const record = newRecord();
const asking = fixture('asking-server.mjs', [], { env: { ...record.env, SECRET: 'hunter2222' } });
let connections = new McpConnections();
afterEach(async () => {
  await connections.close();
  connections = new McpConnections();
});

const never = new AbortController().signal;
async function call(tool: string, args: JsonObject = {}, more: Partial<McpCallContext> = {}) {
  return callMcpTool(connections, asking, await specOf(connections, asking, tool), args, { signal: never, ...more });
}
const accept = (state: string | undefined, contents: { [key: string]: JsonObject | undefined }): ResumeTool => ({
  answers: Object.entries(contents).map(([key, content]) => ({ key, action: 'accept', ...(content && { content }) })),
  ...(state === undefined ? {} : { state }),
});
const heard = () => record.lines().flatMap((line) => (line.startsWith('call ') ? [JSON.parse(line.slice(5))] : []));
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

test('a tool that asks continues in another server process, with the same arguments and its own state', async () => {
  const first = await call('deploy', { env: 'live' });
  expect(first.error).toBeUndefined();
  expect(first.needs).toEqual({
    requests: [
      {
        key: 'sure',
        question: 'Deploy to live?',
        schema: {
          type: 'object',
          properties: { sure: { type: 'boolean', title: 'Are you sure?' } },
          required: ['sure'],
        },
      },
    ],
    state: 'live ✓ {"n":1}\n',
  });
  await connections.close();
  connections = new McpConnections();
  const second = await call(
    'deploy',
    { env: 'live' },
    { resume: accept(first.needs?.state, { sure: { sure: true } }) },
  );
  expect(second.needs?.state).toBe('live ✓ {"n":1}\ntwo');
  const when = { day: 'Friday', hour: 7 };
  const resume = accept(second.needs?.state, { when });
  expect(await call('deploy', { env: 'live' }, { resume })).toEqual(text('live on Friday at 7'));
  const [one, two, three] = heard().slice(-3);
  expect([one.state, two.state, three.state]).toEqual([undefined, first.needs?.state, second.needs?.state]);
  expect([two.args, three.args]).toEqual([{ env: 'live' }, { env: 'live' }]);
  expect(three.answers).toEqual({ when: { action: 'accept', content: when } });
  expect(one.pid).not.toBe(two.pid);
  expect(two.pid).toBe(three.pid);
});

test('several things are asked at once, one of them a visit to a page, without the secrets of the server', async () => {
  const { needs } = await call('register');
  expect(needs?.requests.map(({ key, question, url }) => ({ key, question, url }))).toEqual([
    { key: 'visit', question: 'Log in', url: 'https://example.com/login?for=1' },
    { key: 'note', question: 'A note?', url: undefined },
  ]);
  expect(JSON.stringify(needs)).toContain('not ***');
  const answers: ResumeTool['answers'] = [
    { key: 'visit', action: 'cancel' },
    { key: 'note', action: 'decline' },
  ];
  const { content } = await call('register', {}, { resume: { answers, state: 'r' } });
  expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
    visit: { action: 'cancel' },
    note: { action: 'decline' },
  });
});

test('a server that only wants to be called again asks no person', async () => {
  const before = heard().length;
  expect(await call('busy')).toEqual(text('free'));
  expect(
    heard()
      .slice(before)
      .map(({ state }) => state),
  ).toEqual([undefined, 'x', 'xx']);
});

test('an abort ends the pause before a server is called again', async () => {
  const abort = new AbortController();
  const before = heard().length;
  const calling = call('busy', {}, { signal: abort.signal });
  const refused = expect(calling).rejects.toThrow('enough');
  await until(() => heard().length > before, 'the first call');
  abort.abort(new Error('enough'));
  await refused;
});

test('a server that dies on the answer leaves the outcome unknown', async () => {
  expect(await call('dies', {}, { resume: accept('d', { go: { go: true } }) })).toMatchObject({
    error: { type: 'McpServerFailed' },
    unknown: true,
  });
});

test('a request that a person cannot answer is refused, and certainly had no effect', async () => {
  const { error, unknown } = await call('sampling');
  expect(error?.type).toBe('ToolFailed');
  expect(error?.message).toMatch(/sampling/);
  expect(unknown).toBeUndefined();
});

test('an older server gets no answers: it would start over', async () => {
  const old = fixture('old-server.mjs', [], { env: record.env });
  const spec = await specOf(connections, old, 'pid');
  const result = await callMcpTool(connections, old, spec, {}, { signal: never, resume: { answers: [], state: 'x' } });
  expect(result).toMatchObject({ error: { type: 'ToolFailed' } });
  expect(result.error?.message).toMatch(/refused the call: it no longer speaks the version of the protocol/);
});
