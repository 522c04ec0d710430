import { CARRIED_BYTES } from '../../../../agent/state/carried/carried';
import { jsonBytes } from '../../../../agent/values/json';
import { carry } from '../../../../workflows/run/carry/carry';
import { keepEffects } from '../../../../workflows/run/carry/keep-effects';
import { runState } from '../../state-data';
import { carriedOf, effect, ofBytes, QUIET } from './carried-data';
import { TOOLS } from './random-run';

const CONTINUED = { type: 'run.continued', number: 1, why: 'history' };

describe('effects', () => {
  test('at the limit keep their inverses, and one byte above it the oldest loses its own', () => {
    const max = CARRIED_BYTES.effects;
    const first = effect(1, 50_000);
    const at = ofBytes(max, (text) => [first, { ...effect(2, 50_000), name: text }]);
    expect(carry(runState(TOOLS, { effects: at }), QUIET)).toMatchObject({
      carried: { effects: at },
      facts: [CONTINUED],
    });
    const above = ofBytes(max + 1, (text) => [first, { ...effect(2, 50_000), name: text }]);
    const { inverse: _, ...bare } = first;
    expect(carry(runState(TOOLS, { effects: above, facts: 40 }), QUIET)).toMatchObject({
      carried: { effects: [bare, above[1]], state: { facts: 42 } },
      facts: [{ type: 'undo.dropped', toolUseId: 't1.1', name: 'put' }, CONTINUED],
    });
  });

  test('that are already undone lose theirs first, and without a fact', () => {
    const done = { ...effect(2, 150_000), undone: { at: 1, outcome: 'done' as const } };
    const verdict = carry(runState(TOOLS, { effects: [effect(1, 60_000), done, effect(3, 60_000)] }), QUIET);
    const { inverse: _, ...bare } = done;
    expect(verdict).toMatchObject({
      carried: { effects: [{ inverse: {} }, bare, { inverse: {} }] },
      facts: [CONTINUED],
    });
  });

  test('leave no gap: effects older than an inverse that does not fit lose their own', () => {
    const undoable = [effect(1, 1000), effect(2, 150_000), effect(3, 60_000)];
    const verdict = carry(runState(TOOLS, { effects: undoable }), QUIET);
    expect(verdict).toMatchObject({ facts: [{ toolUseId: 't1.1' }, { toolUseId: 't1.2' }, CONTINUED] });
  });

  test('whose names alone are too large are dropped, the oldest first', () => {
    const name = 'x'.repeat(5000);
    const undoable = Array.from({ length: 60 }, (_, i) => ({ ...effect(i, 200), name }));
    const { effects } = carriedOf(runState(TOOLS, { effects: undoable }));
    expect(jsonBytes(effects)).toBeLessThanOrEqual(CARRIED_BYTES.effects);
    expect(effects.length).toBeLessThan(60);
    expect(effects.map(({ toolUseId }) => toolUseId)).toEqual(
      undoable.slice(-effects.length).map(({ toolUseId }) => toolUseId),
    );
    // The newest keeps its inverse: there is room for it.
    expect(effects.at(-1)).toEqual(undoable.at(-1));
    expect(effects[0]).not.toHaveProperty('inverse');
  });
});

describe('keepEffects', () => {
  const put = (n: number, more: object = {}) => ({ toolUseId: `t1.${n}`, name: 'put', ...more });
  const dropped = (n: number) => ({ type: 'undo.dropped', toolUseId: `t1.${n}`, name: 'put' });
  const bare = [put(1), put(2)];
  const bytes = (effects: readonly object[]) => jsonBytes(effects);

  test('keeps effects of any kind that fit exactly', () => {
    expect(keepEffects(bare, bytes(bare))).toStrictEqual({ effects: bare, facts: [] });
    expect(keepEffects([], 2)).toStrictEqual({ effects: [], facts: [] });
  });

  test('drops effects without an inverse only when they do not fit, and without a fact', () => {
    expect(keepEffects(bare, bytes(bare) - 1)).toStrictEqual({ effects: [put(2)], facts: [] });
    expect(keepEffects(bare, 2)).toStrictEqual({ effects: [], facts: [] });
  });

  test('keeps as many inverses of the newest as fit exactly', () => {
    const all = [effect(1, 300), effect(2, 300), effect(3, 300)] as const;
    const kept = [put(1), all[1], all[2]];
    expect(keepEffects(all, bytes(kept))).toStrictEqual({ effects: kept, facts: [dropped(1)] });
    expect(keepEffects(all, bytes(kept) - 1)).toStrictEqual({
      effects: [put(1), put(2), all[2]],
      facts: [dropped(1), dropped(2)],
    });
  });

  test('keeps the order of the effects when the oldest is dropped', () => {
    const name = 'x'.repeat(400);
    const large = [1, 2, 3].map((n) => ({ ...effect(n, 200), name }));
    const kept = [put(2, { name }), ...large.slice(2)];
    // Room for one more comma than they have.
    expect(keepEffects(large, bytes(kept) + 1)).toStrictEqual({
      effects: kept,
      facts: [1, 2].map((n) => ({ ...dropped(n), name })),
    });
  });

  test('gives no room to the inverse of an effect that cannot be undone', () => {
    const done = effect(2, 300);
    const all = [effect(1, 300), { ...done, undone: { at: 1, outcome: 'done' as const } }, effect(3, 300)] as const;
    const kept = [all[0], put(2, { undone: { at: 1, outcome: 'done' } }), all[2]];
    expect(keepEffects(all, bytes(kept))).toStrictEqual({ effects: kept, facts: [] });
  });
});
