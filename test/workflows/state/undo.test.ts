import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { CallFacts } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { batchCall, runState, toolSpec } from '../state-data';

const tools = [
  toolSpec('files.move', { kind: 'mcp', undo: true }),
  toolSpec('pay'),
  toolSpec('look', { effect: 'read' }),
  toolSpec('ship', { kind: 'service' }),
  toolSpec('ask', { kind: 'loop' }),
];
const said = (text: string) => [{ type: 'text' as const, text }];
const moved: ToolOutcome = { content: said('moved') };
const failed = (type: NonNullable<ToolOutcome['error']>['type']): ToolOutcome => ({
  content: said('no'),
  error: { type, message: 'no' },
});

/** The effects of a run after a call of a tool has settled with this outcome. */
function settled(name: string, outcome: ToolOutcome, call: Partial<CallFacts> = {}, before: Partial<AgentState> = {}) {
  const batch = [batchCall({ name, input: { from: 'a' }, ...call })];
  return step(runState(tools, { batch, ...before }), { type: 'settled', toolUseId: 't1.1', outcome }).state.effects;
}

function fold(state: AgentState, ...inputs: StepInput[]) {
  return inputs.reduce(
    (run, input) => {
      const next = step(run.state, input);
      return { state: next.state, facts: [...run.facts, ...next.facts] };
    },
    { state, facts: [] as ReturnType<typeof step>['facts'] },
  );
}

describe('a call that has settled', () => {
  it('can be undone with its arguments and its result', () => {
    expect(settled('files.move', moved)).toEqual([
      { toolUseId: 't1.1', name: 'files.move', inverse: { input: { from: 'a' }, hash: 'h', content: said('moved') } },
    ]);
  });

  it('keeps the whole result when the model saw only its beginning', () => {
    const image = { type: 'media' as const, mediaType: 'image/png', data: 'aa' };
    const outcome = { content: [...said('beg'), image, ...said('[cut]')], full: said('beginning') };
    expect(settled('files.move', outcome)[0]?.inverse?.content).toEqual([...said('beginning'), image]);
  });

  it('keeps the arguments that a person edited, without the note about the edit', () => {
    const decision = {
      decision: 'edit' as const,
      by: 'ann',
      at: 1,
      edit: { input: { from: 'b' }, hash: 'h2', key: '' },
    };
    const approval = { status: 'decided' as const, hash: 'h', key: '', requestedAt: 1, decision };
    const outcome = { content: [...said('ann changed the arguments'), ...said('moved')] };
    expect(settled('files.move', outcome, { approval })[0]?.inverse).toEqual({
      input: { from: 'b' },
      hash: 'h2',
      content: said('moved'),
    });
  });

  it.each<[string, string, ToolOutcome]>([
    ['is of a tool without an inverse', 'pay', moved],
    ['is of a service', 'ship', moved],
    ['has a result too large to keep', 'files.move', { content: said('x'.repeat(70_000)) }],
    ['has arguments too large to keep', 'files.move', moved],
    ['may have taken effect', 'files.move', failed('OutcomeUnknown')],
    ['ran, though its result cannot be kept', 'files.move', failed('ResultTooLarge')],
    ['is of a service that may have acted', 'ship', failed('ServiceTimedOut')],
  ])('blocks the undo of older calls when it %s', (why, name, outcome) => {
    const input = why === 'has arguments too large to keep' ? { from: 'x'.repeat(70_000) } : { from: 'a' };
    expect(settled(name, outcome, { input })).toEqual([{ toolUseId: 't1.1', name }]);
  });

  it.each<[string, string, ToolOutcome]>([
    ['only reads', 'look', moved],
    ['failed', 'pay', failed('ToolFailed')],
    ['was denied', 'pay', failed('Denied')],
    ['asks a person', 'ask', moved],
    ['is of a tool that the run does not have', 'gone', moved],
  ])('leaves nothing to undo when it %s', (_, name, outcome) => {
    expect(settled(name, outcome)).toEqual([]);
  });

  it('is one of 200 at most: the oldest are forgotten', () => {
    const undoable = Array.from({ length: 200 }, (_, i) => ({ toolUseId: `t0.${i}`, name: 'pay' }));
    const kept = settled('pay', moved, {}, { effects: undoable });
    expect([kept.length, kept[0]?.toolUseId, kept.at(-1)?.toolUseId]).toEqual([200, 't0.1', 't1.1']);
  });
});

describe('an undo', () => {
  const inverse = { input: { from: 'a' }, hash: 'h', content: said('moved') };
  const undoable = ['t1.1', 't2.1'].map((toolUseId) => ({ toolUseId, name: 'files.move', inverse }));
  const begun: StepInput = { type: 'undoBegun', toolUseIds: ['t2.1', 't1.1'], by: 'ann', at: 5 };
  const outcomes = (state: AgentState) => state.effects.map(({ undone }) => undone?.outcome);

  it('is reported to the model and to people, by the names that they know', () => {
    const { state, facts } = fold(
      runState(tools, { effects: undoable }),
      begun,
      { type: 'undone', toolUseId: 't2.1', text: 'moved back' },
      { type: 'undoFailed', toolUseId: 't1.1', error: { type: 'ToolFailed', message: 'no such file' } },
    );
    expect(outcomes(state)).toEqual(['failed', 'done']);
    expect(facts).toEqual([
      { type: 'undo.done', toolUseId: 't2.1', name: 'files.move', text: 'moved back', by: 'ann' },
      {
        type: 'undo.failed',
        toolUseId: 't1.1',
        name: 'files.move',
        error: { type: 'ToolFailed', message: 'no such file' },
        by: 'ann',
      },
    ]);
    expect(state.notes).toEqual([
      'The person undid t2.1 `files_move` {"from":"a"}: moved back',
      'The person tried to undo t1.1 `files_move` {"from":"a"}, but it could not be undone: no such file',
    ]);
  });

  it('with an unknown outcome is kept as such', () => {
    const error = { type: 'OutcomeUnknown', message: 'its worker died' };
    const { state } = fold(runState(tools, { effects: undoable }), begun, {
      type: 'undoFailed',
      toolUseId: 't2.1',
      error,
    });
    expect(outcomes(state)).toEqual([undefined, 'unknown']);
    expect(state.notes[0]).toContain('it is unknown whether that worked: its worker died');
  });

  it('of the oldest remembered effect is told, even when more effects arrive meanwhile', () => {
    const effects = Array.from({ length: 200 }, (_, i) => ({ toolUseId: `t${i}.1`, name: 'files.move', inverse }));
    const batch = [batchCall({ toolUseId: 't999.1', name: 'pay' })];
    const { state, facts } = fold(
      runState(tools, { effects, batch }),
      { type: 'undoBegun', toolUseIds: ['t0.1'], by: 'ann', at: 5 },
      { type: 'settled', toolUseId: 't999.1', outcome: moved },
      { type: 'undone', toolUseId: 't0.1', text: 'moved back' },
    );
    expect(facts.at(-1)).toMatchObject({ type: 'undo.done', toolUseId: 't0.1', by: 'ann' });
    expect(state.effects.map(({ toolUseId }) => toolUseId)).toEqual([...effects.map((one) => one.toolUseId), 't999.1']);
  });

  it('that was not tried is told, and leaves no trace', () => {
    const { state, facts } = fold(runState(tools, { effects: undoable }), begun, {
      type: 'undoLeft',
      toolUseIds: ['t2.1', 't1.1'],
    });
    expect(state.effects).toEqual(undoable);
    expect(facts).toMatchObject([
      { type: 'undo.left', toolUseId: 't2.1', by: 'ann' },
      { type: 'undo.left', toolUseId: 't1.1', by: 'ann' },
    ]);
  });

  it('shows the model only the names of large arguments', () => {
    const large = { ...inverse, input: { from: 'a', body: 'x'.repeat(2000) } };
    const before = runState(tools, { effects: [{ toolUseId: 't2.1', name: 'files.move', inverse: large }] });
    const { state } = fold(
      before,
      { ...begun, toolUseIds: ['t2.1'] },
      { type: 'undone', toolUseId: 't2.1', text: 'x' },
    );
    expect(state.notes).toEqual(['The person undid t2.1 `files_move` with from, body: x']);
  });
});
