import fc from 'fast-check';
import type { HoldfastError } from '../../../../agent/errors/error';
import type { UndoEntry, UndoRequest } from '../../../../agent/protocol/commands/undo';
import type { AgentState } from '../../../../agent/state/state';
import { planUndo } from '../../../../workflows/commands/checks/check-undo';
import { mayBeUndone } from '../../../../workflows/state/selectors/effects';
import { refusal } from '../../../agent/refusal';
import { runState, toolSpec } from '../../state-data';

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

/** The calls that are picked, or the error. */
function plan(state: AgentState, request: UndoRequest): string[] | HoldfastError {
  try {
    return planUndo(state, request).map(({ toolUseId }) => toolUseId);
  } catch (error) {
    return error as HoldfastError;
  }
}

test.each<[string, How[], UndoRequest, string[]]>([
  ['the newest effect', ['open', 'open'], {}, ['t2.1']],
  ['the newest ones, the last first', ['open', 'open', 'open'], { count: 2 }, ['t3.1', 't2.1']],
  ['the newest ones that are not undone yet', ['open', 'done', 'open', 'done'], { count: 2 }, ['t3.1', 't1.1']],
  ['one whose inverse failed before', ['open', 'failed'], {}, ['t2.1']],
  ['the named one, regardless of later ones', ['open', 'plain', 'open'], { toolUseId: 't1.1' }, ['t1.1']],
  ['the named one, whose inverse failed before', ['failed', 'open'], { toolUseId: 't1.1' }, ['t1.1']],
])('undoes %s', (_, effects, request, picked) => {
  expect(plan(after(...effects), request)).toEqual(picked);
});

const missing = (asked: number, possible: number, says: string) => ({
  type: 'NothingToUndo',
  message: `The run \`run-1\` has ${says}.`,
  data: { id: 'run-1', asked, possible },
});
const not = (toolUseId: string, tool: string, problem: string) => ({
  type: 'NotUndoable',
  message: `The call \`${toolUseId}\` of \`${tool}\` of the run \`run-1\` cannot be undone: ${problem}.`,
  data: { id: 'run-1', toolUseId, tool, problem },
});
const already = (who: string, by: object) => ({
  type: 'AlreadyUndone',
  message: `The call \`t1.1\` of \`move\` of the run \`run-1\` was undone already${who} at 2026-01-01T00:00:00.000Z.`,
  data: { id: 'run-1', toolUseId: 't1.1', tool: 'move', at: '2026-01-01T00:00:00.000Z', ...by },
});
const OLDER = '; older calls can be undone by their `toolUseId`';
const LOST = 'it is unknown whether it took effect, or its result was too large to keep for an undo';
const UNKNOWN = 'it is unknown whether its inverse took effect';

test.each<[string, How[], UndoRequest, object]>([
  ['there is no effect', [], {}, missing(1, 0, 'nothing to undo')],
  ['there are fewer effects', ['open'], { count: 2 }, missing(2, 1, 'only 1 to undo, not 2')],
  ['everything is undone', ['done'], {}, missing(1, 0, 'nothing to undo')],
  ['the newest has no inverse', ['open', 'plain'], {}, not('t2.1', 'pay', `the tool declares no inverse${OLDER}`)],
  [
    'two of them have no inverse, of which the error names the newer',
    ['plain', 'open', 'plain', 'open'],
    { count: 4 },
    not('t3.1', 'pay', `the tool declares no inverse${OLDER}`),
  ],
  ['its result was not kept', ['lost'], {}, not('t1.1', 'move', `${LOST}${OLDER}`)],
  ['an inverse may have taken effect', ['open', 'unknown'], {}, not('t2.1', 'move', `${UNKNOWN}${OLDER}`)],
  ['the named has no inverse', ['plain'], { toolUseId: 't1.1' }, not('t1.1', 'pay', 'the tool declares no inverse')],
  ['the result of the named one was not kept', ['lost'], { toolUseId: 't1.1' }, not('t1.1', 'move', LOST)],
  ['the inverse of the named one may have run', ['unknown'], { toolUseId: 't1.1' }, not('t1.1', 'move', UNKNOWN)],
  ['the named one is undone', ['done'], { toolUseId: 't1.1' }, already(' by ann', { by: 'ann' })],
  ['the named one is being undone', ['begun'], { toolUseId: 't1.1' }, already(' by ann', { by: 'ann' })],
])('is refused when %s', (_, effects, request, refused) => {
  expect(refusal(() => planUndo(after(...effects), request))).toStrictEqual(refused);
});

test('is refused when no such call took effect', () => {
  const problem = 'no such call is known to have taken effect';
  expect(refusal(() => planUndo(after('open'), { toolUseId: 't9.1' }))).toStrictEqual({
    type: 'NotUndoable',
    message: `The call \`t9.1\` of the run \`run-1\` cannot be undone: ${problem}.`,
    data: { id: 'run-1', toolUseId: 't9.1', problem },
  });
});

test('is refused after an undo by a person without a name', () => {
  const state = runState(tools, {
    effects: [{ toolUseId: 't1.1', name: 'move', inverse, undone: { at: AT, outcome: 'done' } }],
  });
  expect(refusal(() => planUndo(state, { toolUseId: 't1.1' }))).toStrictEqual(already('', {}));
});

test('is refused when the agent no longer has the tool', () => {
  const state = runState(tools, { effects: [{ toolUseId: 't1.1', name: 'gone' }] });
  expect(refusal(() => planUndo(state, { toolUseId: 't1.1' }))).toStrictEqual(
    not('t1.1', 'gone', 'the tool declares no inverse'),
  );
});

test.each<UndoRequest>([{}, { toolUseId: 't1.1' }])('is always refused after the end of the run: %j', (request) => {
  const state: AgentState = { ...after('open'), phase: { at: 'ended', reason: 'completed', data: null } };
  expect(refusal(() => planUndo(state, request))).toStrictEqual({
    type: 'RunEnded',
    message: 'The run `run-1` has ended (completed): it no longer waits for anything.',
    data: { id: 'run-1', status: 'completed' },
  });
});

test('gives each call with the arguments and the result that its inverse needs', () => {
  const state = after('plain', 'failed', 'open');
  expect(planUndo(state, { count: 2 })).toStrictEqual([state.effects[2], state.effects[1]]);
  expect(planUndo(state, { toolUseId: 't2.1' })).toStrictEqual([state.effects[1]]);
});

test('for any history it picks the newest effects without a gap, none twice, none without an inverse', () => {
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

test('exactly the calls that can be undone can be named', () => {
  const state = after('open', 'plain', 'lost', 'done', 'begun', 'failed', 'unknown');
  const listed = mayBeUndone(state.effects).map(({ toolUseId }) => toolUseId);
  expect(listed).toEqual(['t6.1', 't1.1']);
  const named = state.effects.filter(({ toolUseId }) => Array.isArray(plan(state, { toolUseId })));
  expect(named.map(({ toolUseId }) => toolUseId).reverse()).toEqual(listed);
});
