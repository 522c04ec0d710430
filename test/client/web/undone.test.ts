import { type CallPart, callStateOf, undoText } from '../../../client/web/calls/call-state';
import { undoneText } from '../../../client/web/conversation/undone-text';

const part: CallPart = {
  type: 'dynamic-tool',
  toolName: 'put',
  toolCallId: 't1.1',
  state: 'output-available',
  input: {},
  output: 'put',
};

const stateOf = (undone?: 'done' | 'unknown') => callStateOf(part, undefined, { working: false, asks: false, undone });

it('says of a call that it is done, undone, or perhaps undone', () => {
  expect([stateOf(), stateOf('done'), stateOf('unknown')]).toEqual([
    { tone: 'done', word: 'done' },
    { tone: 'undone', word: 'undone' },
    { tone: 'failed', word: 'perhaps undone' },
  ]);
});

it('says of a call that asks a question that it waits for an answer, and not that it runs', () => {
  const asking = { ...part, state: 'input-available', output: undefined } as unknown as CallPart;
  const of = (asks: boolean) => callStateOf(asking, undefined, { working: true, asks, undone: undefined });
  expect([of(false), of(true)]).toEqual([
    { tone: 'busy', word: 'running' },
    { tone: 'waits', word: 'waits for an answer' },
  ]);
});

it('says who undid a call, and that the outcome of an undo is not known', () => {
  expect(undoText({ outcome: 'done' })).toBe('');
  expect(undoText({ outcome: 'done', by: 'ann' })).toBe('undone by ann');
  expect(undoText({ outcome: 'unknown', by: 'ann' })).toBe('It is not known whether the undo by ann took effect.');
});

it('tells the outcome of each undo', () => {
  const of = { toolUseId: 't1.1', tool: 'put' };
  const errors = ['ToolFailed', 'OutcomeUnknown'].map((type) => ({ ...of, text: 'x', error: { type, message: 'x' } }));
  expect(undoneText([{ ...of, text: 'back' }, ...errors])).toBe(
    'Undone: put: back\nNot undone: put: x\nPerhaps undone: put: x',
  );
});
