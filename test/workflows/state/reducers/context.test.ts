import type { ContextBudget } from '../../../../agent/model/context-window';
import type { Message, Part } from '../../../../agent/model/message';
import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { runState, toolSpec } from '../../state-data';

const said = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, turn: 1 });
const words = (value: string): Part => ({ type: 'text', text: value });
const budget: ContextBudget = {
  ...{ turn: 1, used: 9, system: 1, tools: 1, summary: 3, messages: 1, dropped: 0, counted: 'tokenizer' },
};
const tokens = { before: 90, after: 9 };

describe('a compaction', () => {
  it('that a person asked for names the person when it begins, and settles the request', () => {
    const asked = step(runState(), { type: 'compactAsked', request: { keep: 2, by: 'ann' } });
    expect(asked.state.compaction).toEqual({ tried: 0, asked: { keep: 2, by: 'ann' } });
    expect(asked.facts).toEqual([]);
    const began = step(asked.state, { type: 'compacting', method: 'summarise' });
    expect(began.facts).toEqual([{ type: 'context.compacting', turn: 0, method: 'summarise', by: 'ann' }]);
    const result = { budget, trimming: { from: 1, summary: 'f00' }, summary: { text: 'so far', upTo: 1 }, tokens };
    const done = step(began.state, { type: 'compacted', method: 'summarise', result, model: 'm-1' });
    expect(done.state).toMatchObject({
      budget,
      trimming: result.trimming,
      summary: result.summary,
      compaction: { tried: 1 },
    });
    expect(done.facts).toEqual([
      {
        ...{ type: 'context.compacted', turn: 0, method: 'summarise', from: 1, tokens },
        ...{ summary: 'so far', model: 'm-1' },
      },
    ]);
  });

  it('of results keeps the summary, and says up to which message', () => {
    const summary = { text: 'so far', upTo: 1 };
    const result = { budget, trimming: { from: 1, summary: 'f00', shortened: 7 }, tokens };
    const { state, facts } = step(runState([], { summary }), { type: 'compacted', method: 'tool-results', result });
    expect(state).toMatchObject({ summary, trimming: result.trimming });
    expect(facts).toMatchObject([{ type: 'context.compacted', from: 7 }]);
  });

  it('that failed leaves what is sent as it is; nothing is told where there was nothing to do', () => {
    const before = runState([], { trimming: { from: 0 }, compaction: { tried: 0, asked: {} } });
    const error = { type: 'ModelUnavailable', message: 'It is down.' };
    const failed = step(before, { type: 'notCompacted', error });
    expect(failed.state).toEqual({ ...before, compaction: { tried: 1 } });
    expect(failed.facts).toEqual([{ type: 'context.summary.failed', turn: 0, error }]);
    expect(step(before, { type: 'notCompacted' })).toEqual({ ...failed, facts: [] });
  });

  it('is paid for, and its usage says what for', () => {
    const spent = { usage: { prompt: 90, completion: 9 }, executionUnits: 99, model: 'm-1' };
    const { state, facts } = step(runState(), { type: 'spentOnSummary', spent });
    expect(state).toMatchObject({ usage: { prompt: 90, completion: 9 }, executionUnits: 99 });
    expect(facts).toEqual([{ type: 'usage', turn: 0, ...spent, for: 'summary' }]);
  });
});

it('a window that is almost full has the model conclude, without counting the turn', () => {
  const before = runState([], { turn: 3, toolInteractions: { current: 3, max: 25 } });
  const { state, facts } = step(before, { type: 'nearlyFull', left: 700 });
  expect(state).toMatchObject({ concluding: 'window', turn: 3, toolInteractions: { current: 2, max: 25 } });
  expect(state.messages.at(-1)).toMatchObject({ role: 'user', turn: 2 });
  expect(facts).toMatchObject([
    { type: 'context.full', turn: 3, left: 700 },
    { type: 'message', turn: 2 },
  ]);
});

describe('a summary, when the last answer is dropped', () => {
  const call: Part = { type: 'tool_use', toolUseId: 't1.1', name: 'say', input: {} };
  const result: Part = { type: 'tool_result', toolUseId: 't1.1', name: 'say', content: [] };
  const messages = [
    said('user', words('Q')),
    said('assistant', call),
    said('user', result),
    said('assistant', words('A')),
  ];
  const say = toolSpec('say', { kind: 'loop', loop: { does: 'converse' } });
  const regenerated = (upTo: number) => {
    const window: Partial<AgentState> = {
      summary: { text: 'so far', upTo },
      trimming: { from: upTo, summary: 'f00', factor: 1.1 },
    };
    const inbox = [{ parts: [], exchange: 2, at: 0, regenerates: 1 }];
    const before = runState([say], { messages, opened: 0, inbox, ...window });
    return step(
      { ...before, manifest: { ...before.manifest, mode: 'conversation' } as never },
      { type: 'exchangeBegun' },
    );
  };

  it('stays if it covers only earlier messages', () => {
    expect(regenerated(1).state).toMatchObject({ summary: { upTo: 1 }, trimming: { from: 1, summary: 'f00' } });
  });

  it('is dropped with it if it covers it', () => {
    const { state } = regenerated(3);
    expect(state.messages).toHaveLength(1);
    expect(state.summary).toBeUndefined();
    expect(state.trimming).toEqual({ from: 0, factor: 1.1 });
  });
});
