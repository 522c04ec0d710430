import type { FactBody } from '../../../agent/protocol/facts/fact';
import { DeltaLines } from '../../../cli/lines/stream/delta-lines';
import { waitCommand } from '../../../cli/lines/waits/wait-line';
import { waitRows } from '../../../cli/show/waits';
import { choicesOf, takesText } from '../../../cli/waits/answer-text';
import { told } from './told-fact';

const at = Date.UTC(2026, 0, 2);
const call = { turn: 4, toolUseId: 't4.1', name: 'ask_question' };
const asked: FactBody = { type: 'question.asked', ...call, questionId: 't4.1', question: 'Which one?' };

describe('the line of a fact about a conversation', () => {
  it('says what happens to a message, and who sent it', () => {
    expect(told({ type: 'message.received', into: 3, ahead: 0 })).toBe('starts exchange 3');
    expect(told({ type: 'message.received', into: 5, ahead: 2, by: 'ann' })).toBe(
      'starts exchange 5, 2 ahead of it, from ann',
    );
    expect(told({ type: 'message.received', into: 3, ahead: 0, steers: 'queue' })).toBe(
      'joins exchange 3 at its next turn',
    );
    expect(told({ type: 'message.received', into: 3, ahead: 0, steers: 'now', by: 'ann' })).toBe(
      'joins exchange 3 at once, from ann',
    );
  });

  it('says how an exchange begins and ends', () => {
    expect(told({ type: 'exchange.start', by: 'ann' })).toBe('exchange 3, from ann');
    expect(told({ type: 'exchange.start', regenerates: 2 })).toBe('exchange 3, regenerates exchange 2');
    const end = { type: 'exchange.end', turn: 4 } as const;
    expect(told({ ...end, reason: 'completed', data: { queue: 'tech' } })).toBe(
      'exchange 3 completed: {"queue":"tech"}',
    );
    expect(told({ ...end, reason: 'completed', data: 'Done.\nBye' })).toBe('exchange 3 completed: Done. Bye');
    expect(told({ ...end, reason: 'interrupted', by: 'ann' })).toBe('exchange 3 interrupted by ann');
    expect(told({ ...end, reason: 'failed', error: { type: 'Refused', message: 'no' } })).toBe(
      'exchange 3 failed: Refused, no',
    );
  });

  it('shows a question, its time limit and its choices', () => {
    expect(told(asked)).toBe('t4.1 ask_question asks: Which one?');
    expect(told({ ...asked, suggestions: ['A-1', 'A-2'], expiresAt: at, url: 'https://x.example' })).toBe(
      't4.1 ask_question asks until 2026-01-02T00:00:00.000Z: Which one? https://x.example (A-1 | A-2)',
    );
  });

  it('says how a question ended', () => {
    const of = { ...call, questionId: 't4.1/2' };
    expect(told({ type: 'question.answered', ...of, answer: { n: 1 }, by: 'ann' })).toBe(
      't4.1/2 ask_question is answered by ann: {"n":1}',
    );
    expect(told({ type: 'question.declined', ...of, answer: 'private', by: 'ann' })).toBe(
      't4.1/2 ask_question is declined by ann: "private"',
    );
    expect(told({ type: 'question.expired', ...of })).toBe('t4.1/2 ask_question expired without an answer');
    expect(told({ type: 'question.withdrawn', ...of })).toBe('t4.1/2 ask_question is withdrawn');
  });

  it('says what is withdrawn or undone', () => {
    expect(told({ type: 'text.withdrawn', turn: 4, why: 'steered', by: 'ann' })).toBe(
      'turn 4: its text so far is withdrawn, steered by ann',
    );
    expect(told({ type: 'transcript.rewritten', epoch: 2, length: 5 })).toBe('the first 5 messages stay, epoch 2');
    const of = { toolUseId: 't2.1', name: 'rename' };
    expect(told({ type: 'undo.done', ...of, text: 'b is a again', by: 'ann' })).toBe(
      't2.1 rename is undone by ann: b is a again',
    );
    expect(told({ type: 'undo.failed', ...of, error: { type: 'OutcomeUnknown', message: 'the worker died' } })).toBe(
      't2.1 rename may or may not be undone: OutcomeUnknown, the worker died',
    );
    expect(told({ type: 'undo.failed', ...of, error: { type: 'ToolFailed', message: 'gone' } })).toBe(
      't2.1 rename is not undone: ToolFailed, gone',
    );
    expect(told({ type: 'undo.dropped', ...of })).toBe('t2.1 rename can no longer be undone');
  });

  it('says how full the window is, and what is dropped', () => {
    const budget = {
      type: 'budget.context',
      turn: 4,
      used: 900,
      system: 50,
      tools: 60,
      messages: 9,
      dropped: 0,
    } as const;
    expect(told({ ...budget, counted: 'estimate' })).toBe('900 tokens (system 50, tools 60), counted by an estimate');
    expect(told({ ...budget, total: 1000, remaining: 40, messages: 9, dropped: 6, counted: 'usage' })).toBe(
      '900 of 1000 tokens, 40 left (system 50, tools 60), without the 6 oldest messages, counted by the provider',
    );
    expect(told({ type: 'context.trimmed', turn: 4, from: 6 })).toBe('messages before 6 are no longer sent');
    expect(told({ type: 'context.full', turn: 4, left: 700 })).toBe(
      'only 700 tokens of the window would be left, the model is asked to conclude',
    );
  });

  it('says what is compacted, and how far', () => {
    expect(told({ type: 'context.compacting', turn: 4, method: 'summarise', by: 'ann' })).toBe(
      'old messages are being summed up, from ann',
    );
    expect(told({ type: 'context.compacting', turn: 4, method: 'tool-results' })).toBe(
      'old results of tools are being shortened',
    );
    expect(told({ type: 'context.compacting', turn: 4, method: 'function' })).toBe('old messages are being compacted');
    const compacted = { type: 'context.compacted', turn: 4, from: 6, tokens: { before: 900, after: 200 } } as const;
    expect(told({ ...compacted, method: 'summarise', summary: 'Goal: rest', model: 'm-1' })).toBe(
      'a summary is sent in place of the messages before 6: 900 tokens become 200, written by m-1',
    );
    expect(told({ ...compacted, method: 'tool-results' })).toBe(
      'results of tools before message 6 are sent as one line each: 900 tokens become 200',
    );
    const error = { type: 'ModelUnavailable', message: 'It is down.' };
    expect(told({ type: 'context.summary.failed', turn: 4, error })).toBe(
      'old messages are left out without a summary: ModelUnavailable, It is down.',
    );
  });

  it('says the title of a run, why it closes, and that a call is missing', () => {
    expect(told({ type: 'run.renamed', title: 'Taxes', by: 'ann' })).toBe('Taxes, as ann calls it');
    expect(told({ type: 'conversation.closing', why: 'closed', by: 'ann' })).toBe('closed by ann');
    expect(told({ type: 'conversation.closing', why: 'idle' })).toBe('no message in time');
    expect(told({ type: 'tool.none', turn: 4 })).toBe('turn 4: the model answered with text, but a call is required');
    const error = { type: 'ParseError' as const, message: 'It has no end.' };
    expect(told({ type: 'tool.none', turn: 4, error })).toBe(
      'turn 4: the call in its text cannot be read: ParseError, It has no end.',
    );
    expect(told({ type: 'thinking', turn: 4, index: 7, part: 0 })).toBe('turn 4: part 0 of message 7');
    expect(told({ type: 'error.repeated', turn: 4, times: 5, error })).toBe(
      '5 times in a row: ParseError, It has no end.',
    );
    expect(told({ type: 'error.repeated', turn: 4, times: 5, name: 'look', error })).toBe(
      '5 times in a row, look: ParseError, It has no end.',
    );
  });
});

describe('a question that waits', () => {
  it('is shown with the command that answers it', () => {
    expect(waitCommand('mail-1', asked)).toBe("holdfast answer mail-1 t4.1 '…'");
    expect(waitCommand('it is', { ...asked, questionId: 't4.1/2', schema: { type: 'object' } })).toBe(
      "holdfast answer 'it is' t4.1/2 '{…}'",
    );
    const question = { id: 'mail-1/t1.2', agent: 'a.b', toolUseId: 't4.1', tool: 'bank', questionId: 't4.1' };
    const questions = [{ ...question, question: 'Which\none?', askedAt: at, expiresAt: at }];
    expect(waitRows('mail-1', { approvals: [], services: [], questions, models: [] })).toEqual([
      ['waits', 't4.1 bank of mail-1/t1.2 asks until 2026-01-02T00:00:00.000Z: Which one?'],
      ['', "  holdfast answer mail-1/t1.2 t4.1 '…'"],
    ]);
  });

  it('accepts a text unless its schema does not', () => {
    for (const schema of [undefined, {}, { type: 'string' }, { type: ['string', 'null'] }, { enum: ['a', 1] }]) {
      expect([schema, takesText(schema)]).toEqual([schema, true]);
    }
    for (const schema of [{ type: 'object' }, { type: 'number' }, { enum: [1] }, { anyOf: [{ type: 'number' }] }]) {
      expect([schema, takesText(schema)]).toEqual([schema, false]);
    }
    expect(choicesOf({ schema: { type: 'string', enum: ['a', 'b'] } })).toEqual(['a', 'b']);
    expect(choicesOf({ suggestions: ['x'], schema: { type: 'boolean' } })).toEqual(['x']);
  });
});

describe('deltas as lines', () => {
  it('are whole lines; the rest comes with the next event', () => {
    const said: string[] = [];
    const lines = new DeltaLines((kind, line) => said.push(`${kind}: ${line}`));
    const about = { id: 'r', turn: 1, callId: 'c', attempt: 1, seq: 0 };
    lines.note({ ...about, type: 'stream.reasoning', text: 'Let me' });
    lines.note({ ...about, type: 'stream.text', text: 'Dear' });
    lines.note({ ...about, type: 'stream.text', text: ' Ann,\nall is' });
    expect(said).toEqual(['thinks: Let me', 'text: Dear Ann,']);
    lines.note({ ...about, type: 'stream.tool', index: 0, name: 'x', arguments: '{' });
    lines.note({ ...about, type: 'stream.clear' });
    lines.note({ ...about, type: 'stream.text', text: 'Hello' });
    lines.note({ ...about, type: 'tool.progress', toolUseId: 't1.1', progress: 2, total: 5, message: 'files' });
    lines.note({ ...about, type: 'stream.complete' });
    lines.flush();
    expect(said.slice(2)).toEqual([
      'again: the output of this turn so far is withdrawn',
      'does: t1.1 2 of 5, files',
      'text: Hello',
    ]);
  });
});
