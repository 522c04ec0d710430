import type { Message } from '../../../agent/model/message';
import { GONE, withGone } from '../../../agent/model/transcript';
import { pinnedBefore } from '../../../agent/window/cut';

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn: 0 });
const call: Message = {
  role: 'assistant',
  parts: [{ type: 'tool_use', toolUseId: 't1.1', name: 'look', input: {} }],
  turn: 1,
};
const result: Message = {
  role: 'user',
  parts: [{ type: 'tool_result', toolUseId: 't1.1', name: 'look', content: [] }],
  turn: 1,
};

test('the newest message of a person is found before messages that an earlier history has', () => {
  const [opens, steers] = [said('Do it.'), said('Be quick.')];
  const messages = withGone(6, [
    { index: 0, message: opens },
    { index: 3, message: steers },
  ]);
  messages.push(call, result);
  expect(pinnedBefore(6, { messages, opened: 0 })).toEqual([0, 3]);
});

test('where no message of a person is here, nothing but the opening message stays', () => {
  expect(pinnedBefore(3, { messages: [GONE, GONE, GONE, call, result], opened: -1 })).toEqual([]);
});

test('a list that has grown is searched again, and a cut that grows smaller leaves out what comes after it', () => {
  const messages = [said('Do it.'), call, result];
  expect(pinnedBefore(3, { messages, opened: 0 })).toEqual([0]);
  messages.push(said('Be quick.'), call, result);
  expect(pinnedBefore(6, { messages, opened: 0 })).toEqual([0, 3]);
  messages.push(call, result);
  expect(pinnedBefore(8, { messages, opened: 0 })).toEqual([0, 3]);
  expect(pinnedBefore(3, { messages, opened: 0 })).toEqual([0]);
});
