import { type Message, seenCount, textOf } from '../../../agent/model/message';

const message = (role: Message['role'], turn: number, seen?: number): Message => ({
  role,
  parts: [],
  turn,
  ...(seen === undefined ? {} : { seenCount: seen }),
});

it.each<[string, Message, number, number]>([
  ['a first message before the first call', message('user', 0), 1, 0],
  ['a first message before the second call', message('user', 0), 2, 1],
  ['a tool result before the call that follows', message('user', 3), 4, 0],
  ['a tool result before the call after that', message('user', 3), 5, 1],
  ['an answer before the call that follows', message('assistant', 3), 4, 1],
  ['an answer before the fifth call after it', message('assistant', 3), 8, 5],
  ['a message with a preset count', message('user', 0, 2), 3, 4],
  ['a message at a call before it existed', message('user', 3, 1), 2, 1],
])('%s has been seen %j', (_what, given, call, seen) => {
  expect(seenCount(given, call)).toBe(seen);
});

it('the text of a message is that of its text parts, joined', () => {
  const parts: Message['parts'] = [
    { type: 'text', text: 'one ' },
    { type: 'reasoning', text: 'hidden' },
    { type: 'media', mediaType: 'image/png', data: 'AAAA' },
    { type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {} },
    { type: 'text', text: 'two' },
  ];
  expect(textOf({ parts })).toBe('one two');
  expect(textOf({ parts: [] })).toBe('');
});
