import { plan } from '../../../workflows/turn/plan';
import { gate } from '../../../workflows/turn/quota-gate';
import { modelAnswer, runState } from '../state-data';

describe('gate', () => {
  it.each([
    [{ current: 0, max: 2 }, false],
    [{ current: 1, max: 2 }, false],
    [{ current: 2, max: 2 }, true],
  ] as const)('with %j lets the model be called, to conclude: %s', (toolInteractions, conclude) => {
    expect(gate(runState([], { toolInteractions }))).toEqual({ to: 'think', conclude });
  });

  it('ends the run after the concluding call, unless a person has said something meanwhile', () => {
    const exhausted = { toolInteractions: { current: 2, max: 2 }, concluding: true };
    expect(() => gate(runState([], exhausted))).toThrow(expect.objectContaining({ type: 'ToolQuotaExhausted' }));
    const steers = [{ parts: [], exchange: 1, at: 0 }];
    expect(gate(runState([], { ...exhausted, steers }))).toEqual({ to: 'think', conclude: false });
  });
});

describe('plan', () => {
  const answer = modelAnswer({ requests: [{ name: 'lookup', input: {} }] });

  it('runs the calls of an answer; what has none, and what concludes, is the output', () => {
    expect(plan(runState(), answer)).toMatchObject({ to: 'act', plan: { calls: [{ toolUseId: 't0.1' }] } });
    expect(plan(runState(), modelAnswer({ text: 'done' })).to).toBe('finish');
    expect(plan(runState([], { concluding: true }), answer).to).toBe('finish');
  });
});
