import { modelRequest } from '../../../../activities/model/request/model-request';
import { type InText, textRequest } from '../../../../activities/model/text-calls/text-request';
import type { Message } from '../../../../agent/model/message';
import { defined } from '../../../../agent/values/defined';
import { TOOLS } from './tools';

const user = (text: string, turn = 0): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn });
const called = (name: string, turn: number, before?: string): Message => ({
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'hm' },
    ...(before === undefined ? [] : [{ type: 'text' as const, text: before }]),
    { type: 'tool_use', toolUseId: `t${turn}.1`, name, input: { q: 'tea' } },
  ],
  turn,
});
const result = (name: string, turn: number, text: string, isError?: true): Message => ({
  role: 'user',
  parts: [
    { type: 'tool_result', toolUseId: `t${turn}.1`, name, content: [{ type: 'text', text }], ...defined({ isError }) },
  ],
  turn,
});

const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const args = (messages: Message[]) => ({
  config: { model: 'm', baseUrl: 'http://localhost/v1', toolChoice: 'required' as const },
  system: 'You help.',
  messages,
  tools: TOOLS,
  call: 3,
});
const sent = (messages: Message[], inText: InText = {}) => textRequest(args(messages), inText);
const texts = (messages: Message[], inText: InText = {}) =>
  sent(messages, inText).messages.map(({ role, content }) => [
    role,
    content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|'),
  ]);

test('the request has no native tools: they are at the end of the system prompt', () => {
  const request = sent([user('hi')]);
  expect(request).toMatchObject({ model: 'm', tools: [] });
  expect(request).not.toHaveProperty('toolChoice');
  expect(request.system).toMatch(/^You help\.\n\n# Your tools\n/);
  expect(request.system).toContain('- look_up: Looks up');
  expect(request.system).toContain('# Tools of the MCP server files');
  expect(request.system).toContain('- read_file: Read a file');
  expect(request.system).toContain('<tool>{"server_name"');
});

test('without tools nothing is said of calls', () => {
  expect(textRequest({ ...args([user('hi')]), tools: [] }, {}).system).toBe('You help.');
});

test('earlier calls are tags, and their results are messages that name the tool', () => {
  const messages = [
    user('hi'),
    called('look.up', 1, 'I look.'),
    result('look.up', 1, 'hot'),
    called('files.read_file', 2),
    result('files.read_file', 2, 'gone', true),
    called('fles.read', 3),
    result('fles.read', 3, 'There is no server named `fles`.', true),
  ];
  const tag = (server: string, tool: string) =>
    `<tool>{"server_name":"${server}","tool_name":"${tool}","arguments":{"q":"tea"}}</tool>`;
  expect(texts(messages)).toEqual([
    ['user', 'hi'],
    ['assistant', `I look.|\n${tag('local', 'look_up')}`],
    ['user', 'Result of the tool `look_up` (server `local`):\nhot'],
    ['assistant', tag('files', 'read_file')],
    ['user', 'Error of the tool `read_file` (server `files`):\ngone'],
    ['assistant', tag('fles', 'read')],
    ['user', 'Error of the tool `read` (server `fles`):\nThere is no server named `fles`.'],
  ]);
});

test('media of a result stay in its message, and are masked after they were shown', () => {
  const photo = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' };
  const seen: Message = {
    role: 'user',
    parts: [{ type: 'tool_result', toolUseId: 't1.1', name: 'look.up', content: [photo] }],
    turn: 1,
  };
  const title = 'Result of the tool `look_up` (server `local`):';
  const [first, second] = [2, 3].map((call) =>
    textRequest({ ...args([user('hi'), called('look.up', 1), seen]), call }, {}),
  );
  expect(first?.messages.at(-1)?.content).toEqual([{ type: 'text', text: title }, photo]);
  expect(second?.messages.at(-1)?.content).toMatchObject([
    { text: title },
    { text: expect.stringContaining('shown in an earlier call') },
  ]);
});

test('user and assistant take turns', () => {
  const told = { reminder: 'Call a tool.' };
  const silent: Message = { role: 'assistant', parts: [], turn: 2 };
  const answer = (text: string, turn: number): Message => ({
    role: 'assistant',
    parts: [{ type: 'text', text }],
    turn,
  });
  expect(texts([user('hi'), user('there'), answer('One.', 1), answer('Two.', 2)], told)).toEqual([
    ['user', 'hi|there'],
    ['assistant', 'One.|\n\n|Two.'],
    ['user', 'Call a tool.'],
  ]);
  expect(texts([user('hi'), silent], told)).toEqual([['user', 'hi|Call a tool.']]);
});

test('what a call sends is the beginning of what the next one sends, but for the reminder', () => {
  const messages = [user('hi'), called('look.up', 1), result('look.up', 1, 'hot')];
  const before = sent(messages, { reminder: 'Call a tool.' });
  const after = sent([...messages, called('look.up', 2), result('look.up', 2, 'cold')]);
  expect(after.system).toBe(before.system);
  const said = (request: typeof before) => JSON.stringify(request.messages);
  const common = said(before).indexOf(',{"type":"text","text":"Call a tool."');
  expect(common).toBeGreaterThan(0);
  expect(said(after).startsWith(said(before).slice(0, common))).toBe(true);
});

test('the output is described in text, unless task_completion takes it', () => {
  const with_ = (inText: InText) => textRequest({ ...args([user('hi')]), output }, inText);
  expect(with_({})).not.toHaveProperty('output');
  expect(with_({}).system).toContain(JSON.stringify(output));
  expect(with_({ completes: true }).system).not.toContain(JSON.stringify(output));
});

test('a native request of the same agent does not change', () => {
  const messages = [user('hi'), called('look.up', 1), result('look.up', 1, 'hot')];
  const native = JSON.stringify(modelRequest(args(messages)));
  sent(messages);
  expect(JSON.stringify(modelRequest(args(messages)))).toBe(native);
});
