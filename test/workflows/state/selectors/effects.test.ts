import type { UndoEntry } from '../../../../agent/protocol/commands/undo';
import { isBeingUndone, isUndoable, mayBeUndone, undoneWith } from '../../../../workflows/state/selectors/effects';

const inverse = { input: {}, hash: 'h', content: [] };
const entry = (toolUseId: string, more: Partial<UndoEntry> = {}): UndoEntry => ({ toolUseId, name: 'put', ...more });
const undone = (outcome?: 'done' | 'failed' | 'unknown') => ({
  inverse,
  undone: { at: 1, ...(outcome && { outcome }) },
});

test.each<[string, Partial<UndoEntry>, boolean, boolean]>([
  ['with an inverse', { inverse }, true, false],
  ['without an inverse', {}, false, false],
  ['that is being undone', undone(), false, true],
  ['whose inverse has failed', undone('failed'), true, false],
  ['whose inverse may have taken effect', undone('unknown'), false, false],
  ['that was undone', undone('done'), false, false],
  ['whose inverse has failed and is no longer kept', { undone: { at: 1, outcome: 'failed' } }, false, false],
])('an effect %s may be undone, is being undone, or neither', (_, more, undoable, running) => {
  expect([isUndoable(entry('t1.1', more)), isBeingUndone(entry('t1.1', more))]).toEqual([undoable, running]);
});

test('the newest effect that may be undone comes first', () => {
  const [first, bare, last] = [entry('t1.1', { inverse }), entry('t1.2'), entry('t2.1', { inverse })] as const;
  const effects = [first, bare, last];
  expect(mayBeUndone(effects)).toEqual([last, first]);
  // The list itself is not reversed.
  expect(effects).toEqual([first, bare, last]);
});

test('effects that were undone are named, the last one first, and apart from them those that perhaps were', () => {
  const done = (at: number, by?: string): Partial<UndoEntry> => ({
    undone: { at, outcome: 'done', ...(by && { by }) },
  });
  const effects = [
    entry('t1.1', done(5, 'ann')),
    entry('t1.2', undone('failed')),
    entry('t1.3', undone('unknown')),
    entry('t2.1', undone()),
    entry('t3.1', done(7)),
    entry('t4.1', { inverse }),
  ];
  expect(undoneWith('done', effects)).toEqual([
    { toolUseId: 't3.1', name: 'put', at: 7 },
    { toolUseId: 't1.1', name: 'put', by: 'ann', at: 5 },
  ]);
  expect(undoneWith('unknown', effects)).toEqual([{ toolUseId: 't1.3', name: 'put', at: 1 }]);
});
