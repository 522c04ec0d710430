import type { UndoEntry } from '../../../../agent/protocol/commands/undo';
import type { JsonObject } from '../../../../agent/values/json';
import { step } from '../../../../workflows/state/reduce';
import { ofBytes } from '../../run/carry/carried-data';
import { runState, toolSpec } from '../../state-data';

const tools = [toolSpec('files.move', { undo: true })];
const error = { type: 'ToolFailed', message: 'no such file' };

function entry(n: number, more: Partial<UndoEntry> = {}): UndoEntry {
  return { toolUseId: `t${n}.1`, name: 'files.move', ...more };
}

const inverse = (input: JsonObject) => ({ inverse: { input, hash: 'h', content: [] } });
const moved = inverse({ from: 'a' });

/** A run with these effects, and with one note for its model already. */
const run = (...effects: UndoEntry[]) => runState(tools, { effects, notes: ['before'] });
const told = (note: string, ...effects: UndoEntry[]) => ({ ...run(...effects), notes: ['before', note] });

describe('effects that are to be undone', () => {
  it('are marked with who asked and when, and the others are not', () => {
    const before = run(entry(1), entry(2), entry(3));
    const toolUseIds = ['t3.1', 't1.1'];
    const undone = { by: 'ann', at: 5 };
    expect(step(before, { type: 'undoBegun', toolUseIds, by: 'ann', at: 5 })).toStrictEqual({
      state: run(entry(1, { undone }), entry(2), entry(3, { undone })),
      facts: [],
    });
    expect(step(before, { type: 'undoBegun', toolUseIds: ['t2.1'], at: 5 }).state).toStrictEqual(
      run(entry(1), entry(2, { undone: { at: 5 } }), entry(3)),
    );
  });

  it('and were not tried are as before, and are told in the planned order', () => {
    const before = run(entry(1, { ...moved, undone: { by: 'ann', at: 5 } }), entry(2, { undone: { at: 6 } }));
    expect(step(before, { type: 'undoLeft', toolUseIds: ['t2.1', 't1.1'] })).toStrictEqual({
      state: run(entry(1, moved), entry(2)),
      facts: [
        { type: 'undo.left', toolUseId: 't2.1', name: 'files.move' },
        { type: 'undo.left', toolUseId: 't1.1', name: 'files.move', by: 'ann' },
      ],
    });
  });

  it.each(['undoLeft', 'undone', 'undoFailed'] as const)('must be known: %s', (type) => {
    const about = { undoLeft: { toolUseIds: ['t9.1'] }, undone: { text: '' }, undoFailed: { error } }[type];
    const input = { type, toolUseId: 't9.1', ...about } as Parameters<typeof step>[1];
    expect(() => step(run(entry(1)), input)).toThrow('t9.1 took no effect');
  });
});

describe('an effect', () => {
  const asked = { by: 'ann', at: 5 };
  const about = { toolUseId: 't2.1', name: 'files.move', by: 'ann' };
  const before = run(entry(1, moved), entry(2, { ...moved, undone: asked }));
  const ended = (outcome: NonNullable<UndoEntry['undone']>['outcome'], note: string) =>
    told(note, entry(1, moved), entry(2, { ...moved, undone: { ...asked, ...(outcome && { outcome }) } }));

  it('that was taken back is told to the model with the result of its inverse', () => {
    const note = 'The person undid t2.1 `files_move` {"from":"a"}: moved back';
    expect(step(before, { type: 'undone', toolUseId: 't2.1', text: 'moved back' })).toStrictEqual({
      state: ended('done', note),
      facts: [{ type: 'undo.done', ...about, text: 'moved back' }],
    });
  });

  it.each([
    ['failed', 'ToolFailed', 'it could not be undone'],
    ['unknown', 'OutcomeUnknown', 'it is unknown whether that worked'],
  ] as const)('whose inverse ended as %s is told to the model with the reason', (outcome, type, could) => {
    const why = { type, message: 'no such file' };
    const note = `The person tried to undo t2.1 \`files_move\` {"from":"a"}, but ${could}: no such file`;
    expect(step(before, { type: 'undoFailed', toolUseId: 't2.1', error: why })).toStrictEqual({
      state: ended(outcome, note),
      facts: [{ type: 'undo.failed', ...about, error: why }],
    });
  });

  it('of an unknown tool is told by its own name', () => {
    const gone = { toolUseId: 't1.1', name: 'old.tool' };
    const ended = { ...gone, undone: { at: 0, outcome: 'done' as const } };
    expect(step(run(gone), { type: 'undone', toolUseId: 't1.1', text: 'x' })).toStrictEqual({
      state: told('The person undid t1.1 `old.tool` {}: x', ended),
      facts: [{ type: 'undo.done', toolUseId: 't1.1', name: 'old.tool', text: 'x' }],
    });
  });

  it('shows the model arguments of up to 500 bytes, and of larger ones 500 characters of their names', () => {
    const noteOf = (input: JsonObject) =>
      step(run(entry(1, inverse(input))), { type: 'undone', toolUseId: 't1.1', text: 'x' }).state.notes[1];
    const arguments_ = (bytes: number) => ofBytes(bytes, (to) => ({ from: 'ä', to }));
    const about = 'The person undid t1.1 `files_move`';
    expect(noteOf(arguments_(500))).toBe(`${about} ${JSON.stringify(arguments_(500))}: x`);
    expect(noteOf(arguments_(501))).toBe(`${about} with from, to: x`);
    expect(noteOf({ a: 1, ['b'.repeat(600)]: 2 })).toBe(`${about} with a, ${'b'.repeat(497)}: x`);
  });
});
