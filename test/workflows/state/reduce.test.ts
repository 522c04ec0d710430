import { type Message, seenCount } from '../../../agent/model/message';
import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { acting, modelAnswer, runState, toolSpec } from '../state-data';
import { fold as foldAll, withManifest } from './fold';

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
    const once = fold(runState(tools), { type: 'calling', conclude: false }).state;
    const last = fold(once, { type: 'calling', conclude: true }).state;
    expect([once.turn, once.toolInteractions.current]).toEqual([1, 1]);
    expect([last.turn, last.toolInteractions.current, last.concluding]).toEqual([2, 1, true]);
    expect(last.messages.at(-1)?.parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('limit') });
  });

  it('keeps the text of the model beside its calls in the same message', () => {
    const { state } = fold(runState(tools), { type: 'calling', conclude: false }, acting(batch, tools));
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
    const begun = fold(runState(tools), { type: 'calling', conclude: false }, acting(batch, tools));
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
    const before = fold(runState(tools), { type: 'calling', conclude: false }, acting(batch, tools));
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
    const before = fold(runState(tools), { type: 'calling', conclude: false }, acting(batch, tools));
    const outcome = { ...ok('head'), full: [{ type: 'text' as const, text: 'head and all the rest' }] };
    const { state, facts } = fold(before.state, { type: 'settled', toolUseId: 't1.1', outcome });
    expect(JSON.stringify(state)).not.toContain('all the rest');
    expect(facts[0]).toMatchObject({ type: 'tool.result', full: true });
  });

  it('remembers a call whose outcome is unknown', () => {
    const answer = modelAnswer({ requests: [{ name: 'pay', input: { to: 'ann' } }] });
    const error = { type: 'OutcomeUnknown' as const, message: 'unknown' };
    const { state } = fold(runState(tools), { type: 'calling', conclude: false }, acting(answer, tools), {
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
      { type: 'calling', conclude: false },
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
      { type: 'calling', conclude: false },
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
    const { state } = fold(
      runState(tools),
      { type: 'calling', conclude: false },
      { type: 'answerInterrupted', partial },
    );
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

describe('a run', () => {
  const user = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'go' }], turn: 0 };
  const assistant = { ...user, role: 'assistant' as const };
  const result = (messages: Message[]) => ({ context: { metadata: {}, system: 'Be kind.' }, hash: 'c2', messages });

  it('knows its input when it starts', () => {
    const { context: _, ...before } = runState();
    expect(step(before, { type: 'started', given: { input: 'go', owner: 'ann' }, lineage: 'test.boss' })).toStrictEqual(
      {
        state: { ...before, input: 'go', owner: 'ann', metadata: {}, above: ['test.boss'] },
        facts: [],
      },
    );
  });

  it('pins its agent, with its quota', () => {
    const { manifest, pin: _, ...before } = runState(tools);
    if (manifest === undefined) throw new Error('no manifest');
    const limits = { ...manifest.limits, maxToolInteractions: 7 };
    const described = { manifest: { ...manifest, limits }, hash: 'm2' };
    expect(
      step({ ...before, toolInteractions: { current: 3, max: 0 } }, { type: 'described', result: described }),
    ).toEqual({
      state: {
        ...{ ...before, manifest: described.manifest, toolInteractions: { current: 0, max: 7 } },
        pin: { manifest: 'm2', context: '' },
      },
      facts: [],
    });
  });

  it('begins with its first messages as a task', () => {
    const before = runState([], { messages: [], pin: { manifest: 'm2', context: '' } });
    const messages = [user, assistant];
    expect(step(before, { type: 'contextBuilt', result: result(messages) })).toStrictEqual({
      state: {
        ...{ ...before, messages, opened: 1, context: { metadata: {}, system: 'Be kind.' } },
        pin: { manifest: 'm2', context: 'c2' },
      },
      facts: [
        { type: 'loop.start', agent: 'test.agent' },
        { type: 'message', turn: 0, index: 0, message: user },
        { type: 'message', turn: 0, index: 1, message: assistant },
      ],
    });
  });

  it('that is a conversation begins with an exchange when the last message is from a person', () => {
    const before = withManifest({ mode: 'conversation' }, { messages: [] });
    const { state, facts } = step(before, { type: 'contextBuilt', result: result([assistant, user]) });
    expect(state).toMatchObject({ opened: 1, exchange: 1, phase: { at: 'working' } });
    expect(facts.slice(0, 2)).toStrictEqual([{ type: 'loop.start', agent: 'test.agent' }, { type: 'exchange.start' }]);
  });

  it.each([
    ['a message of its agent', [user, assistant]],
    ['nothing', []],
  ])('waits as a conversation for its first message after %s', (_, messages) => {
    const before = withManifest({ mode: 'conversation' }, { messages: [] });
    const { state, facts } = step(before, { type: 'contextBuilt', result: result(messages) });
    expect(state).toMatchObject({ opened: -1, exchange: 0, phase: { at: 'idle' }, messages });
    expect(facts.map(({ type }) => type)).toEqual(['loop.start', ...messages.map(() => 'message')]);
  });

  it('whose agent is not known begins anyway', () => {
    const { manifest: _, pin: _none, ...before } = runState([], { messages: [] });
    const { state } = step(before, { type: 'contextBuilt', result: result([user]) });
    expect(state).toMatchObject({ opened: 0, pin: { manifest: '', context: 'c2' } });
  });

  it('that ends leaves nothing unread: all waiting messages are in the transcript', () => {
    const said = (text: string) => ({ parts: [{ type: 'text' as const, text }], exchange: 2, at: 1 });
    const waiting = {
      inbox: [{ ...said('three'), regenerates: 1 }, said('four')],
      steers: [said('two')],
      notes: ['one'],
    };
    const before = runState([], { turn: 2, ...waiting, usage: { prompt: 1, completion: 1 }, executionUnits: 2 });
    const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
    const error = { type: 'ModelUnavailable', message: 'gone' };
    const messages = ['one', 'two', 'four'].map((text) => ({
      ...user,
      parts: [{ type: 'text' as const, text }],
      turn: 2,
    }));
    const end = { reason: 'failed' as const, error };
    expect(step({ ...before, phase: { at: 'outage', ...outage } }, { type: 'ended', ...end })).toStrictEqual({
      state: {
        ...before,
        phase: { at: 'ended', ...end },
        inbox: [],
        steers: [],
        notes: [],
        messages: [...before.messages, ...messages],
      },
      facts: [
        ...messages.map((message, i) => ({ type: 'message', turn: 2, index: 1 + i, message })),
        { type: 'loop.end', reason: 'failed', turns: 2, usage: { prompt: 1, completion: 1 }, executionUnits: 2, error },
      ],
    });
    const closed = step(runState(), { type: 'ended', reason: 'completed', data: null });
    expect(closed.state).toStrictEqual({ ...runState(), phase: { at: 'ended', reason: 'completed', data: null } });
  });
});
