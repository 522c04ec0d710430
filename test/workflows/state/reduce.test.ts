import { seenCount } from '../../../agent/model/message';
import type { AgentState } from '../../../agent/state/state';
import type { StepInput } from '../../../workflows/state/reduce';
import { acting, modelAnswer, runState, toolSpec } from '../state-data';
import { fold as foldAll } from './fold';

const tools = [
  toolSpec('lookup', { effect: 'read' }),
  toolSpec('pay', { effect: 'once' }),
  toolSpec('files.list', { kind: 'mcp', effect: 'read' }),
];

function fold(state: AgentState, ...inputs: StepInput[]) {
  const all = foldAll(state, ...inputs);
  return { ...all, types: all.facts.map(({ type }) => type) };
}

const ok = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const batch = modelAnswer({
  text: 'Let me look.',
  requests: [
    { name: 'lookup', input: { id: 1 } },
    { name: 'nope', input: {} },
    { name: 'files_list', input: {} },
    { name: 'lookup', input: { id: 2 }, problem: { type: 'InvalidArguments', message: 'id' } },
  ],
});

describe('step', () => {
  it('counts every call, but not the concluding one', () => {
    const once = fold(runState(tools), { type: 'calling' }).state;
    const last = fold(once, { type: 'calling', conclude: 'interactions' }).state;
    expect([once.turn, once.toolInteractions.current]).toEqual([1, 1]);
    expect([last.turn, last.toolInteractions.current, last.concluding]).toEqual([2, 1, 'interactions']);
    expect(last.messages.at(-1)?.parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('limit') });
  });

  it('keeps the text of the model beside its calls in the same message', () => {
    const { state } = fold(runState(tools), { type: 'calling' }, acting(batch, tools));
    expect(state.messages.at(-1)).toMatchObject({
      role: 'assistant',
      turn: 1,
      parts: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', toolUseId: 't1.1', name: 'lookup' },
        { type: 'tool_use', toolUseId: 't1.2', name: 'nope' },
        { type: 'tool_use', toolUseId: 't1.3', name: 'files.list' },
        { type: 'tool_use', toolUseId: 't1.4', name: 'lookup' },
      ],
    });
  });

  it('adds a fact for each result as it comes and appends the complete batch in the order of the calls', () => {
    const begun = fold(runState(tools), { type: 'calling' }, acting(batch, tools));
    const before = begun.state.messages.length;
    const settled = fold(
      begun.state,
      { type: 'settled', toolUseId: 't1.3', outcome: ok('three') },
      { type: 'settled', toolUseId: 't1.1', outcome: ok('one') },
    );
    expect(settled.types).toEqual(['tool.result', 'tool.result']);
    expect(settled.state.messages).toHaveLength(before);
    const done = fold(settled.state, { type: 'batchSettled' });
    const ids = done.state.messages
      .slice(before)
      .map((m) => m.parts[0]?.type === 'tool_result' && m.parts[0].toolUseId);
    expect(ids).toEqual(['t1.1', 't1.2', 't1.3', 't1.4']);
    expect(done.state.batch).toEqual([]);
    expect(done.state.lifecycle).toBe('tool_result');
  });

  it('changes nothing on a second answer and on an unknown id', () => {
    const before = fold(runState(tools), { type: 'calling' }, acting(batch, tools));
    const first = fold(before.state, { type: 'settled', toolUseId: 't1.1', outcome: ok('one') });
    const again = fold(
      first.state,
      { type: 'settled', toolUseId: 't1.1', outcome: ok('two') },
      { type: 'settled', toolUseId: 't9.9', outcome: ok('x') },
      { type: 'settled', toolUseId: 't1.2', outcome: ok('rejected calls take none') },
    );
    expect(again.facts).toEqual([]);
    expect(again.state).toEqual(first.state);
  });

  it('leaves the full text of a cut result out of the state', () => {
    const before = fold(runState(tools), { type: 'calling' }, acting(batch, tools));
    const outcome = { ...ok('head'), full: [{ type: 'text' as const, text: 'head and all the rest' }] };
    const { state, facts } = fold(before.state, { type: 'settled', toolUseId: 't1.1', outcome });
    expect(JSON.stringify(state)).not.toContain('all the rest');
    expect(facts[0]).toMatchObject({ type: 'tool.result', full: true });
  });

  it('remembers a call whose outcome is unknown', () => {
    const answer = modelAnswer({ requests: [{ name: 'pay', input: { to: 'ann' } }] });
    const error = { type: 'OutcomeUnknown' as const, message: 'unknown' };
    const { state } = fold(runState(tools), { type: 'calling' }, acting(answer, tools), {
      type: 'settled',
      toolUseId: 't1.1',
      outcome: { content: [], error },
    });
    expect(state.unknownOutcomes).toMatchObject([{ toolUseId: 't1.1', name: 'pay' }]);
  });

  it('appends a rejected output and its feedback, and counts them as seen by the rules', () => {
    const answer = modelAnswer({ text: 'not json' });
    const { state, types } = fold(
      runState(tools),
      { type: 'calling' },
      { type: 'answered', answer },
      { type: 'outputRejected', answer, error: 'Answer in JSON.' },
    );
    expect(types).toEqual(['loop.iteration', 'usage', 'output.rejected', 'message', 'message']);
    const [input, said, feedback] = state.messages;
    expect([input, said, feedback].map((m) => m && seenCount(m, state.turn + 1))).toEqual([1, 1, 0]);
    expect(state.lifecycle).toBe('output_error_feedback');
  });

  it('ends with the validated data as the last message and the sums in the last fact', () => {
    const answer = modelAnswer({ text: '{"a": 1}' });
    const { state, facts } = fold(
      runState(tools),
      { type: 'calling' },
      { type: 'answered', answer },
      { type: 'completed', data: { a: 1 }, text: '{"a":1}' },
    );
    expect(state.messages.at(-1)).toEqual({ role: 'assistant', parts: [{ type: 'text', text: '{"a":1}' }], turn: 1 });
    expect(facts.at(-1)).toMatchObject({ type: 'loop.end', reason: 'completed', turns: 1, executionUnits: 15 });
  });

  it('keeps the text and usage of a call that was cut short', () => {
    const partial = {
      parts: [{ type: 'text' as const, text: 'Half an ans' }],
      usage: { prompt: 7, completion: 2 },
      executionUnits: 9,
    };
    const { state } = fold(runState(tools), { type: 'calling' }, { type: 'answerInterrupted', partial });
    expect(state.messages.at(-1)).toMatchObject({ role: 'assistant', partial: true, parts: partial.parts });
    expect(state.usage).toEqual(partial.usage);
  });

  it('never changes the given state', () => {
    const state = runState(tools, { turn: 1 });
    const before = JSON.stringify(state);
    fold(state, acting(batch, tools), { type: 'settled', toolUseId: 't1.1', outcome: ok('x') });
    expect(JSON.stringify(state)).toBe(before);
  });
});
