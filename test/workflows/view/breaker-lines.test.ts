import { type BreakerState, NO_BREAKERS } from '../../../agent/state/breaker-state';
import { breakerLines } from '../../../workflows/view/breaker-lines';
import { runState } from '../state-data';

const lines = (more: Partial<BreakerState>) => breakerLines(runState([], { breakers: { ...NO_BREAKERS, ...more } }));

test('a run that makes progress has no such line', () => {
  expect(breakerLines(runState())).toEqual([]);
  expect(lines({ calls: 4, changes: 1, failing: { call: 'a/h', times: 2 }, failedRounds: 1 })).toEqual([]);
});

test.each<[Partial<BreakerState>, string]>([
  [{ empty: 1 }, '- breaker: model nudged once since an answer was empty'],
  [
    { incomplete: 2, deflecting: 1, unchanged: 1 },
    '- breaker: model nudged 2 times since it stopped too early, once since it avoided the work, once since it claimed a change',
  ],
  [{ told: true, failing: { call: 'a/h', times: 5 } }, '- breaker: the same call has failed 5 times in a row'],
  [{ blockedRounds: 1 }, '- breaker: the model repeats calls, which are not run'],
  [{ failedRounds: 2 }, '- breaker: all calls of 2 answers in a row failed'],
  [{ withdrawn: ['a', 'b`c'] }, "- breaker: withdrawn tools: `a`, `b'c`"],
  [{ withdrawn: ['a', 'b', 'c', 'd', 'e', 'f'] }, '- breaker: withdrawn tools: `a`, `b`, `c`, `d`, `e` and 1 more'],
  [{ stop: 'repeating' }, '- breaker: the model has to conclude'],
])('%j is shown as %s', (more, line) => {
  expect(lines(more)).toEqual([line]);
});
