import { gate } from '../../../workflows/turn/quota-gate';
import { runState } from '../state-data';

describe('gate', () => {
  it.each([
    [{ current: 0, max: 2 }, false],
    [{ current: 1, max: 2 }, false],
    [{ current: 2, max: 2 }, true],
    [{ current: 3, max: 2 }, true],
  ] as const)('with %j lets the model be called; concluding: %s', (toolInteractions, conclude) => {
    expect(gate(runState([], { toolInteractions }))).toEqual({ to: 'think', conclude });
  });

  const exhausted = { toolInteractions: { current: 2, max: 2 }, concluding: true };

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
    expect(() => gate(runState([], { ...exhausted, ...more }))).toThrow(error);
  });

  it('goes on when a person has said something meanwhile', () => {
    const steers = [{ parts: [], exchange: 1, at: 0 }];
    expect(gate(runState([], { ...exhausted, steers }))).toEqual({ to: 'think', conclude: false });
    const toolInteractions = { current: 2, max: 2 };
    expect(gate(runState([], { toolInteractions, steers }))).toEqual({ to: 'think', conclude: false });
  });
});
