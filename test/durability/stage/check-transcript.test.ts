import type { Message } from '../../../agent/model/message';
import { transcriptProblems } from './check-transcript';

const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }], turn: 0 };
const calling = (turn: number, ...ids: string[]): Message => ({
  role: 'assistant',
  parts: ids.map((toolUseId) => ({ type: 'tool_use', toolUseId, name: 'pay', input: {} })),
  turn,
});
const result = (turn: number, toolUseId: string, name = 'pay'): Message => ({
  role: 'user',
  parts: [{ type: 'tool_result', toolUseId, name, content: [] }],
  turn,
});
const said = (turn: number, extra: Partial<Message> = {}): Message => ({
  role: 'assistant',
  parts: [{ type: 'text', text: 'done' }],
  turn,
  ...extra,
});

it('finds nothing in a whole transcript', () => {
  expect(
    transcriptProblems([asked, calling(1, 't1.1', 't1.2'), result(1, 't1.1'), result(1, 't1.2'), said(2)]),
  ).toEqual([]);
  expect(transcriptProblems([asked, said(1, { partial: true })])).toEqual([]);
});

it.each([
  ['a call without a result', [asked, calling(1, 't1.1', 't1.2'), result(1, 't1.1'), said(2)]],
  ['a call without a result at the end', [asked, calling(1, 't1.1')]],
  ['results out of order', [asked, calling(1, 't1.1', 't1.2'), result(1, 't1.2'), result(1, 't1.1'), said(2)]],
  ['a second result', [asked, calling(1, 't1.1'), result(1, 't1.1'), result(1, 't1.1')]],
  ['a result without a call', [asked, result(0, 't1.1'), said(1)]],
  ['a result under another name', [asked, calling(1, 't1.1'), result(1, 't1.1', 'look')]],
  ['an id that repeats', [asked, calling(1, 't1.1'), result(1, 't1.1'), calling(1, 't1.1'), result(1, 't1.1')]],
  ['an id of another turn', [asked, calling(2, 't1.1'), result(2, 't1.1')]],
  ['a turn that goes back', [asked, said(2), asked]],
  ['two answers in one turn', [asked, said(1), said(1)]],
  ['a partial answer in the middle', [asked, said(1, { partial: true }), said(2)]],
  ['a text between a call and its result', [asked, calling(1, 't1.1'), { ...asked, turn: 1 }, result(1, 't1.1')]],
])('finds %s', (_what, messages) => {
  expect(transcriptProblems(messages)).not.toEqual([]);
});
