import { gate } from '../../../workflows/turn/quota-gate';
import { runState } from '../state-data';

describe('gate', () => {
  it.each([
    [{ current: 0, max: 2 }, undefined],
    [{ current: 1, max: 2 }, undefined],
    [{ current: 2, max: 2 }, 'interactions'],
    [{ current: 3, max: 2 }, 'interactions'],
  ] as const)('with %j lets the model be called; concluding: %s', (toolInteractions, conclude) => {
    expect(gate(runState([], { toolInteractions }), 0)).toEqual({ to: 'think', conclude });
  });

  const exhausted = { toolInteractions: { current: 2, max: 2 }, concluding: 'interactions' as const };

  it.each([
    ['gave no valid output.', {}, { max: 2 }],
    [
      'gave no valid output (it is not JSON).',
      { rejected: { attempts: 1, problem: 'it is not JSON' } },
      { max: 2, problem: 'it is not JSON' },
    ],
  ])('ends the run after the concluding call: the last one %s', (what, more, data) => {
    const message =
      `Tool calls exhausted max quota: 2 model calls were made and the last one ${what} ` +
      'Raise `limits.maxToolInteractions`, or give the agent a smaller task.';
    const error = expect.objectContaining({ type: 'ToolQuotaExhausted', data, message });
    expect(() => gate(runState([], { ...exhausted, ...more }), 0)).toThrow(error);
  });

  it('ends the run after a conclusion that the window asked for, while calls are left', () => {
    const full = { toolInteractions: { current: 1, max: 25 }, concluding: 'window' as const };
    const message =
      'The transcript no longer fits the context window of `default` (the window was almost full, and the last answer ' +
      'gave no valid output: it is not JSON). Lower `limits.maxResultChars`, or choose a model with a larger window.';
    const error = expect.objectContaining({ type: 'ModelContextTooLong', message });
    expect(() => gate(runState([], { ...full, rejected: { attempts: 1, problem: 'it is not JSON' } }), 0)).toThrow(
      error,
    );
  });

  it('has old messages compacted first where a person asked for it', () => {
    const compaction = { tried: 0, asked: {} };
    expect(gate(runState([], { compaction }), 0)).toEqual({ to: 'compact' });
    // A run that is over does not pay for a summary.
    expect(() => gate(runState([], { ...exhausted, compaction }), 0)).toThrow(
      expect.objectContaining({ data: { max: 2 } }),
    );
  });

  it('goes on when a person has said something meanwhile', () => {
    const steers = [{ parts: [], exchange: 1, at: 0 }];
    expect(gate(runState([], { ...exhausted, steers }), 0)).toEqual({ to: 'think' });
    const toolInteractions = { current: 2, max: 2 };
    expect(gate(runState([], { toolInteractions, steers }), 0)).toEqual({ to: 'think' });
  });
});
