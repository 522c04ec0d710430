import type { Message } from '../../../agent/model/message';
import { SYSTEM_SECTIONS, sectionOrder, TURN_SECTIONS } from '../../../agent/prompt-sections/places';
import { askedIn, withSections } from '../../../agent/prompt-sections/turn-message';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn: 0 });
const answer: Message = { role: 'assistant', parts: [{ type: 'text', text: 'ok' }], turn: 1 };
const result: Message = {
  role: 'user',
  parts: [{ type: 'tool_result', toolUseId: 't1.1', name: 'look', content: [] }],
  turn: 1,
};
const photo = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' };
const rag = { name: 'rag', text: 'RAG' };
const own = { name: 'userInput', text: 'OWN' };
const last = { name: 'last', text: 'LAST', after: true as const };

const shown = (messages: Message[], sections = [rag], asked: Message | undefined = askedIn(messages)) =>
  withSections({ messages, sections, asked, turn: 2 }).map(({ role, parts }) => [
    role,
    parts.map((part) => (part.type === 'text' ? part.text : part.type)),
  ]);

test('without sections nothing changes', () => {
  const messages = [user('hi')];
  expect(withSections({ messages, sections: [], asked: messages[0], turn: 1 })).toBe(messages);
});

test('sections come before what a person said last, and after results they are a message of their own', () => {
  expect(shown([user('hi')])).toEqual([['user', ['RAG\n', 'hi']]]);
  expect(shown([user('hi'), answer, result])).toEqual([
    ['user', ['hi']],
    ['assistant', ['ok']],
    ['user', ['tool_result']],
    ['user', ['RAG']],
  ]);
  expect(shown([answer])).toEqual([
    ['assistant', ['ok']],
    ['user', ['RAG']],
  ]);
  expect(shown([])).toEqual([['user', ['RAG']]]);
});

test('only the message that is being answered is replaced by a text for the user input; its media stay', () => {
  const said: Message = { ...user('hi'), parts: [{ type: 'text', text: 'hi' }, photo] };
  expect(shown([said], [rag, own, last])).toEqual([['user', ['RAG\n', 'OWN', 'media', 'LAST']]]);
  const feedback = user('invalid');
  expect(shown([said, answer, feedback], [rag, own, last], said).at(-1)).toEqual([
    'user',
    ['RAG\n\nOWN\n', 'invalid', 'LAST'],
  ]);
  expect(shown([said, answer, result], [rag, own, last], said).at(-1)).toEqual(['user', ['RAG\n\nOWN\n\nLAST']]);
});

test('the transcript itself is not changed, and its beginning is sent as the same objects', () => {
  const messages = [user('a'), answer, user('b')];
  const before = JSON.stringify(messages);
  const sent = withSections({ messages, sections: [rag], asked: messages[2], turn: 2 });
  expect(JSON.stringify(messages)).toBe(before);
  expect(sent.slice(0, 2).every((message, i) => message === messages[i])).toBe(true);
});

test('the message that is being answered is the one that opened the exchange, else the newest that was said', () => {
  const messages = [user('a'), answer, user('b'), answer, result];
  expect(askedIn(messages, 0)).toBe(messages[0]);
  expect(askedIn(messages)).toBe(messages[2]);
  expect(askedIn([answer])).toBeUndefined();
});

test.each<[string, readonly string[], Parameters<typeof sectionOrder>[1], string]>([
  ['the default order', SYSTEM_SECTIONS, {}, 'instructions agentLoop capabilities skills chainOfThought'],
  [
    'new ones at the end',
    SYSTEM_SECTIONS,
    { b: 'x', a: 'x' },
    'instructions agentLoop capabilities skills chainOfThought b a',
  ],
  [
    'new ones before the user input',
    TURN_SECTIONS,
    { b: 'x', a: 'x' },
    'toolSchemas mcpSchemas callingRules planning rag b a userInput',
  ],
  [
    'before, after, and after a new one',
    TURN_SECTIONS,
    { a: { text: 'x', before: 'planning' }, b: { text: 'x', after: 'a' }, c: { text: 'x', after: 'userInput' } },
    'toolSchemas mcpSchemas callingRules a b planning rag userInput c',
  ],
  [
    'changed ones stay',
    SYSTEM_SECTIONS,
    { skills: 'x', instructions: null },
    'instructions agentLoop capabilities skills chainOfThought',
  ],
])('order: %s', (_, defaults, sections, order) => {
  expect(sectionOrder(defaults, sections).join(' ')).toBe(order);
});
