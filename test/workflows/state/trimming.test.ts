import type { ContextBudget } from '../../../agent/model/context-window';
import { step } from '../../../workflows/state/reduce';
import { mayShrink, trimmingInput } from '../../../workflows/turn/trimming';
import { runState } from '../state-data';

const budget: ContextBudget = {
  turn: 3,
  total: 4000,
  used: 900,
  remaining: 2100,
  system: 10,
  tools: 20,
  messages: 9,
  dropped: 2,
  counted: 'usage',
};
const windowed = (more: object = {}) => {
  const state = runState([], more);
  return { ...state, manifest: { ...state.manifest, contextWindow: 4000 } as NonNullable<typeof state.manifest> };
};

describe('which part of the transcript the next call sends', () => {
  it('is not specified when no window is known', () => {
    expect(trimmingInput(runState([], { opened: 0 }))).toEqual({});
  });

  it.each([
    ['the manifest names a window', windowed({ opened: 0 }), { from: 0 }],
    [
      'a window was learned',
      runState([], { opened: 0, trimming: { from: 0, window: 3000 } }),
      { from: 0, window: 3000 },
    ],
    [
      'calls were measured before',
      runState([], { opened: 0, trimming: { from: 0, factor: 1.2 } }),
      { from: 0, factor: 1.2 },
    ],
  ])('is specified when %s', (_why, state, trimming) => {
    expect(trimmingInput(state)).toEqual({ trimming, opened: 0 });
  });

  it('is chosen again when a rewrite has left less than was sent', () => {
    expect(trimmingInput(windowed({ opened: 0, trimming: { from: 7, factor: 1.1 } })).trimming).toEqual({
      from: 0,
      factor: 1.1,
    });
  });
});

describe('a measured call', () => {
  it('is told, and what it left out only when that grew', () => {
    const first = step(runState(), { type: 'measured', budget, trimming: { from: 4, factor: 1.1 } });
    expect(first.state).toMatchObject({ budget, trimming: { from: 4, factor: 1.1 } });
    expect(first.facts).toEqual([
      { type: 'context.trimmed', turn: 3, from: 4 },
      { type: 'budget.context', ...budget },
    ]);
    const second = step(first.state, { type: 'measured', budget, trimming: { from: 4 } });
    expect(second.facts.map(({ type }) => type)).toEqual(['budget.context']);
  });
});

describe('a call that was refused as too long', () => {
  const partial = {
    parts: [],
    usage: { prompt: 0, completion: 0 },
    executionUnits: 0,
    trimming: { from: 0, window: 900 },
  };

  it('is repeated at most five times in a turn, and only when it can become smaller', () => {
    expect([0, 4, 5].map((refused) => mayShrink('ModelContextTooLong', partial, refused))).toEqual([true, true, false]);
    const { trimming: _, ...final } = partial;
    expect(mayShrink('ModelContextTooLong', final, 0)).toBe(false);
    expect(mayShrink('ModelUnavailable', partial, 0)).toBe(false);
    expect(mayShrink(undefined, undefined, 0)).toBe(false);
  });

  it('leaves the window that it learned, and costs only the tokens that it used', () => {
    const free = step(runState(), { type: 'tooLong', partial });
    expect(free.state.trimming).toEqual({ from: 0, window: 900 });
    expect(free.facts).toEqual([]);
    const usage = { prompt: 12, completion: 1 };
    const paid = step(runState(), { type: 'tooLong', partial: { ...partial, usage, executionUnits: 13 } });
    expect(paid.state).toMatchObject({ usage, executionUnits: 13, trimming: { window: 900 } });
    expect(paid.facts).toEqual([{ type: 'usage', turn: 0, model: 'default', usage, executionUnits: 13 }]);
  });
});
