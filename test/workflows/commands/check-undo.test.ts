import fc from 'fast-check';
import type { HoldfastError } from '../../../agent/errors/error';
import type { UndoEntry, UndoRequest } from '../../../agent/protocol/undo';
import type { AgentState } from '../../../agent/state/state';
import { planUndo } from '../../../workflows/commands/check-undo';
import { mayBeUndone } from '../../../workflows/state/selectors/effects';
import { runState, toolSpec } from '../state-data';

const AT = Date.UTC(2026, 0, 1);
const tools = [toolSpec('move', { undo: true }), toolSpec('pay')];

type How = 'open' | 'plain' | 'lost' | 'done' | 'begun' | 'failed' | 'unknown';

const inverse = { input: { from: 'a' }, hash: 'h', content: [] };
const ended = (outcome?: 'done' | 'failed' | 'unknown'): Partial<UndoEntry> => ({
  inverse,
  undone: { by: 'ann', at: AT, ...(outcome === undefined ? {} : { outcome }) },
});
const HOW: { readonly [how in How]: Partial<UndoEntry> } = {
  open: { inverse },
  plain: { name: 'pay' },
  lost: {},
  begun: ended(),
  done: ended('done'),
  failed: ended('failed'),
  unknown: ended('unknown'),
};

function after(...effects: How[]): AgentState {
  const undoable = effects.map((how, i) => ({ toolUseId: `t${i + 1}.1`, name: 'move', ...HOW[how] }));
  return runState(tools, { effects: undoable });
}

/** The calls that are picked, or why none is. */
function plan(state: AgentState, request: UndoRequest): string[] | HoldfastError {
  try {
    return planUndo(state, request).map(({ toolUseId }) => toolUseId);
  } catch (error) {
    return error as HoldfastError;
  }
}

test.each<[string, How[], UndoRequest, string[]]>([
  ['the newest effect', ['open', 'open'], {}, ['t2.1']],
  ['the newest ones, the last one first', ['open', 'open', 'open'], { count: 2 }, ['t3.1', 't2.1']],
  ['past those that are taken back already', ['open', 'done', 'open', 'done'], { count: 2 }, ['t3.1', 't1.1']],
  ['one whose inverse failed, again', ['open', 'failed'], {}, ['t2.1']],
  ['the one that was named, whatever came after it', ['open', 'plain', 'open'], { toolUseId: 't1.1' }, ['t1.1']],
  ['one that was named and failed before', ['failed', 'open'], { toolUseId: 't1.1' }, ['t1.1']],
])('takes back %s', (_, effects, request, picked) => {
  expect(plan(after(...effects), request)).toEqual(picked);
});

test.each<[string, How[], UndoRequest, string, string[]]>([
  ['nothing has happened', [], {}, 'NothingToUndo', ['nothing']],
  ['less has happened', ['open'], { count: 2 }, 'NothingToUndo', ['only 1', '2']],
  ['all is taken back', ['done'], {}, 'NothingToUndo', ['nothing']],
  ['the newest has no inverse', ['open', 'plain'], {}, 'NotUndoable', ['`t2.1`', '`pay`', 'no inverse', '`toolUseId`']],
  ['one of them has none', ['open', 'plain', 'open'], { count: 3 }, 'NotUndoable', ['`t2.1`']],
  ['its result was not kept', ['lost'], {}, 'NotUndoable', ['`t1.1`', '`move`', 'too large']],
  ['an inverse may have run', ['open', 'unknown'], {}, 'NotUndoable', ['`t2.1`', 'nobody knows whether its inverse']],
  ['no such call acted', ['open'], { toolUseId: 't9.1' }, 'NotUndoable', ['`t9.1`', 'no such call']],
  ['the named one has no inverse', ['plain'], { toolUseId: 't1.1' }, 'NotUndoable', ['declares no inverse.']],
  ['the named one may be taken back', ['unknown'], { toolUseId: 't1.1' }, 'NotUndoable', ['nobody knows']],
  ['the named one is', ['done'], { toolUseId: 't1.1' }, 'AlreadyUndone', ['by ann', '2026-01-01T00:00:00.000Z']],
  ['the named one is about to be', ['begun'], { toolUseId: 't1.1' }, 'AlreadyUndone', ['`t1.1`']],
])('is refused where %s', (_, effects, request, type, says) => {
  const refused = plan(after(...effects), request);
  expect(refused).toMatchObject({ type });
  for (const said of says) expect((refused as HoldfastError).message).toContain(said);
});

test('is refused once the run has ended', () => {
  const state: AgentState = { ...after('open'), end: { reason: 'completed', data: null } };
  expect(plan(state, {})).toMatchObject({ type: 'RunEnded', data: { status: 'completed' } });
});

test('whatever has happened, it picks the newest effects without a gap, none twice, none without an inverse', () => {
  const how = fc.constantFrom<How>('open', 'open', 'plain', 'lost', 'done', 'begun', 'failed', 'unknown');
  fc.assert(
    fc.property(fc.array(how, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), (effects, count) => {
      const state = after(...effects);
      const picked = plan(state, { count });
      const standing = effects.flatMap((is, i) => (is === 'done' || is === 'begun' ? [] : [{ is, id: `t${i + 1}.1` }]));
      const newest = standing.slice(-count).reverse();
      if (Array.isArray(picked)) {
        expect(picked).toEqual(newest.map(({ id }) => id));
        expect(picked).toHaveLength(count);
        expect(newest.every(({ is }) => is === 'open' || is === 'failed')).toBe(true);
      } else {
        expect(newest.length < count || newest.some(({ is }) => is !== 'open' && is !== 'failed')).toBe(true);
      }
    }),
  );
});

test('what can be undone is exactly what can be named', () => {
  const state = after('open', 'plain', 'lost', 'done', 'begun', 'failed', 'unknown');
  const listed = mayBeUndone(state.effects).map(({ toolUseId }) => toolUseId);
  expect(listed).toEqual(['t6.1', 't1.1']);
  const named = state.effects.filter(({ toolUseId }) => Array.isArray(plan(state, { toolUseId })));
  expect(named.map(({ toolUseId }) => toolUseId).reverse()).toEqual(listed);
});
