import type { Message } from '../../../../agent/model/message';
import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { modelAnswer } from '../../state-data';
import { withManifest } from '../fold';

const said = (text: string) => [{ type: 'text' as const, text }];
const user = (text: string, turn: number): Message => ({ role: 'user', parts: said(text), turn });
const usage = { prompt: 7, completion: 2 };
const outage = { since: 1, failures: 2, error: { type: 'ModelUnavailable', message: 'gone' }, nextAt: 9 };

/** A run with two models that has had two turns. */
function asked(more: Partial<AgentState> = {}): AgentState {
  const toolInteractions = { current: 2, max: 5 };
  return withManifest({ models: ['big', 'small'] }, { turn: 2, toolInteractions, lifecycle: 'tool_result', ...more });
}

/** The fact of a message that joins a transcript of one message. */
const joined = (message: Message, index = 1) => ({ type: 'message', turn: message.turn, index, message });

describe('a call of the model', () => {
  const steer = { parts: said('wait'), exchange: 1, at: 3 };

  it('is a turn, and counts', () => {
    const before = asked({ rejected: { attempts: 1, problem: 'no' }, concluding: 'interactions' });
    expect(step(before, { type: 'calling' })).toStrictEqual({
      state: { ...before, turn: 3, toolInteractions: { current: 3, max: 5 }, concluding: false },
      facts: [{ type: 'loop.iteration', turn: 3, lifecycle: 'tool_result' }],
    });
  });

  it('that has to conclude is not counted, and the model is told to conclude', () => {
    const before = asked({ toolInteractions: { current: 5, max: 5 }, notes: ['one', 'two'] });
    const messages = [
      user('one\ntwo', 2),
      user('You have reached the limit of 5 tool calls. No more tools will run. Conclude now with what you know.', 2),
    ] as const;
    expect(step(before, { type: 'calling', conclude: 'interactions' })).toStrictEqual({
      state: { ...before, turn: 3, concluding: 'interactions', notes: [], messages: [...before.messages, ...messages] },
      facts: [
        { type: 'loop.iteration', turn: 3, lifecycle: 'tool_result', last: true },
        joined(messages[0]),
        joined(messages[1], 2),
      ],
    });
  });

  it('with a message of a person has a new quota, and new attempts at its output', () => {
    const before = asked({ rejected: { attempts: 2, problem: 'no' }, notes: ['one'], steers: [steer] });
    const { rejected: _, ...fresh } = before;
    const messages = [user('one', 2), user('wait', 2)] as const;
    expect(step(before, { type: 'calling' })).toStrictEqual({
      state: {
        ...fresh,
        ...{ turn: 3, lifecycle: 'message', notes: [], steers: [], toolInteractions: { current: 1, max: 5 } },
        messages: [...before.messages, ...messages],
      },
      facts: [{ type: 'loop.iteration', turn: 3, lifecycle: 'message' }, joined(messages[0]), joined(messages[1], 2)],
    });
  });

  it('leaves the transcript that it sent in the state', () => {
    const transcript = { epoch: 1, length: 4, hash: 'x' };
    expect(step(asked(), { type: 'sent', transcript })).toStrictEqual({
      state: { ...asked(), sent: transcript },
      facts: [],
    });
  });

  it('that was refused as too long costs what it read', () => {
    const trimming = { from: 0, window: 900 };
    const partial = { parts: [], usage: { prompt: 1, completion: 0 }, executionUnits: 1, trimming };
    expect(step(asked(), { type: 'tooLong', partial })).toStrictEqual({
      state: {
        ...{ ...asked(), trimming, usage: partial.usage, executionUnits: 1 },
        ...{ unpriced: { calls: 1, tokens: 1 }, calls: { model: 1, tool: 0 } },
      },
      facts: [{ type: 'usage', turn: 2, model: 'big', usage: partial.usage, executionUnits: 1 }],
    });
    const named = step(asked(), { type: 'tooLong', partial: { ...partial, model: 'big-2025' } });
    expect(named.facts).toMatchObject([{ type: 'usage', model: 'big-2025' }]);
    expect(step(asked(), { type: 'tooLong', partial: { ...partial, usage: { prompt: 0, completion: 3 } } })).toEqual({
      state: { ...asked(), trimming },
      facts: [],
    });
  });
});

describe('an answer', () => {
  it('is paid for, and ends an outage', () => {
    const before = asked({ usage: { prompt: 1, completion: 1 }, executionUnits: 2 });
    const answer = modelAnswer({ text: 'hi', usage, executionUnits: 9 });
    expect(step({ ...before, phase: { at: 'outage', ...outage } }, { type: 'answered', answer })).toStrictEqual({
      state: {
        ...{ ...before, usage: { prompt: 8, completion: 3 }, executionUnits: 11 },
        ...{ unpriced: { calls: 2, tokens: 11 }, calls: { model: 1, tool: 0 } },
      },
      facts: [{ type: 'usage', turn: 2, model: 'scripted', usage, executionUnits: 9 }],
    });
  });

  it('that is not checked joins the transcript with the data of its provider', () => {
    const answer = modelAnswer({ text: 'hi', providerData: { sign: 'x' } });
    const message: Message = { role: 'assistant', parts: said('hi'), turn: 2, providerData: { sign: 'x' } };
    expect(step(asked(), { type: 'unchecked', answer })).toStrictEqual({
      state: { ...asked(), messages: [...asked().messages, message] },
      facts: [joined(message)],
    });
  });

  it('without the required call is followed by a reminder, and is not an attempt', () => {
    const messages = [{ role: 'assistant' as const, parts: said('hi'), turn: 2 }, user('Call a tool.', 2)] as const;
    const state = { ...asked(), lifecycle: 'output_error_feedback', messages: [...asked().messages, ...messages] };
    const answer = modelAnswer({ text: 'hi' });
    expect(
      step(asked(), { type: 'noCall', answer, missed: { reminder: 'Call a tool.', in: 'message' } }),
    ).toStrictEqual({
      state,
      facts: [{ type: 'tool.none', turn: 2 }, joined(messages[0]), joined(messages[1], 2)],
    });
    expect(step(asked(), { type: 'outputRejected', answer, error: 'Call a tool.' })).toStrictEqual({
      state: { ...state, rejected: { attempts: 1, problem: 'Call a tool.' } },
      facts: [{ type: 'output.rejected', turn: 2, error: 'Call a tool.' }, joined(messages[0]), joined(messages[1], 2)],
    });
  });

  it('that is invalid again is one more attempt', () => {
    const before = asked({ rejected: { attempts: 1, problem: 'no' } });
    const { state } = step(before, { type: 'outputRejected', answer: modelAnswer({}), error: 'still not' });
    expect(state.rejected).toEqual({ attempts: 2, problem: 'still not' });
  });

  it.each([
    ['more than before', 4, true],
    ['as much as before', 3, false],
    ['chosen again', 0, false],
  ])('is measured, and told when it left out more than before: it was %s', (_, from, told) => {
    const budget = { turn: 2, used: 9, system: 1, tools: 1, messages: 9, dropped: 0, counted: 'usage' as const };
    const before = asked({ trimming: { from: 3 } });
    expect(step(before, { type: 'measured', budget, trimming: { from, factor: 2 } })).toStrictEqual({
      state: { ...before, budget, trimming: { from, factor: 2 } },
      facts: [...(told ? [{ type: 'context.trimmed', turn: 2, from }] : []), { type: 'budget.context', ...budget }],
    });
  });

  it('that was cut off stays as far as it came, and is paid for', () => {
    const partial = { parts: said('half an ans'), usage, executionUnits: 9 };
    const message: Message = { role: 'assistant', parts: partial.parts, turn: 2, partial: true };
    const paid = {
      ...{ ...asked(), usage, executionUnits: 9 },
      ...{ unpriced: { calls: 1, tokens: 9 }, calls: { model: 1, tool: 0 } },
    };
    const cost = { type: 'usage', turn: 2, model: 'big', usage, executionUnits: 9 };
    expect(step(asked(), { type: 'answerInterrupted', partial })).toStrictEqual({
      state: { ...paid, messages: [...asked().messages, message] },
      facts: [cost, joined(message)],
    });
    expect(step(asked(), { type: 'answerInterrupted', partial: { ...partial, parts: [] } })).toStrictEqual({
      state: paid,
      facts: [cost],
    });
  });
});

describe('an output that is valid', () => {
  const message: Message = { role: 'assistant', parts: said('{"a":1}'), turn: 2 };
  const late = user('too late', 2);
  const before = asked({ steers: [{ parts: said('too late'), exchange: 1, at: 3 }], usage, executionUnits: 9 });

  it('ends a task; late messages are in the transcript', () => {
    expect(step(before, { type: 'completed', data: { a: 1 }, text: '{"a":1}' })).toStrictEqual({
      state: {
        ...{ ...before, steers: [], messages: [...before.messages, message, late] },
        phase: { at: 'ended', reason: 'completed', data: { a: 1 } },
      },
      facts: [
        ...[joined(message), joined(late, 2)],
        { type: 'loop.end', reason: 'completed', turns: 2, usage, executionUnits: 9 },
      ],
    });
  });

  it('ends an exchange, and the conversation goes on', () => {
    const state = withManifest({ mode: 'conversation' }, before);
    expect(step(state, { type: 'completed', data: { a: 1 }, text: '{"a":1}' })).toStrictEqual({
      state: {
        ...{ ...state, phase: { at: 'idle' }, steers: [], messages: [...before.messages, message, late] },
        answer: { exchange: 1, data: { a: 1 } },
      },
      facts: [
        ...[joined(message), joined(late, 2)],
        { type: 'exchange.end', turn: 2, reason: 'completed', data: { a: 1 } },
      ],
    });
  });
});

describe('the window of a model', () => {
  const trimming = { from: 7, window: 3000, factor: 1.2 };
  const budget = { turn: 2, total: 3000, used: 900, remaining: 1100, system: 1, tools: 2, messages: 9, dropped: 7 };
  const learned = (more: Partial<AgentState> = {}) => {
    const state = asked({ trimming, budget: { ...budget, counted: 'usage' as const }, ...more });
    return { ...state, manifest: { ...state.manifest, decisions: 2 } as NonNullable<AgentState['manifest']> };
  };
  const chosen = (state: AgentState, alias = 'house') => step(state, { type: 'chosen', alias }).state;

  it('is forgotten with it, and all that no summary covers is sent again', () => {
    const { state } = step(learned(), { type: 'chosen', alias: 'house' });
    expect(state.trimming).toEqual({ from: 0 });
    expect(state.budget).toEqual({ ...budget, counted: 'usage', total: undefined, remaining: undefined });
    const summed = { trimming: { ...trimming, summary: 'hash' }, summary: { text: 'so far', upTo: 3 } };
    expect(chosen(learned(summed)).trimming).toEqual({ from: 3, summary: 'hash' });
  });

  it('is kept while the model stays the same', () => {
    expect(chosen(learned(), 'big').trimming).toEqual(trimming);
  });

  it('is kept in runs that began before that was decided', () => {
    const state = learned();
    const { decisions: _, ...manifest } = state.manifest;
    expect(chosen({ ...state, manifest }).trimming).toEqual(trimming);
  });
});
