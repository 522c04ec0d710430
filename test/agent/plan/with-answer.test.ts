import { WITH_ANSWER } from '../../../agent/limits';
import type { CallPlan, PlannedCall } from '../../../agent/plan/plan-calls';
import { callsWithAnswer, mayRunWithAnswer, timeForTools } from '../../../agent/plan/with-answer';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { toolSpec } from '../../workflows/state-data';

const quick: Partial<ToolSpec> = { placement: 'inline', effect: 'read' };
const mcp: Partial<ToolSpec> = { kind: 'mcp', mcp: { server: 'crm', tool: 'look', startTimeout: 1000 } };

it.each<[string, Partial<ToolSpec>, boolean]>([
  ['an inline tool that reads', quick, true],
  ['an inline tool of an MCP server that reads', { ...quick, ...mcp } as Partial<ToolSpec>, true],
  ['a tool with a separate activity', { ...quick, placement: 'activity' }, false],
  ['a tool that may be repeated, but changes something', { ...quick, effect: 'idempotent' }, false],
  ['a tool that must not run twice', { ...quick, effect: 'once' }, false],
  ['a tool that a person may have to approve', { ...quick, approval: { asks: true, onExpire: 'deny' } }, false],
  ['a service', { ...quick, kind: 'service' } as Partial<ToolSpec>, false],
  ['a tool of the loop', { ...quick, kind: 'loop', loop: { does: 'ask' } } as Partial<ToolSpec>, false],
])('tells whether %s may run with the model call', (_what, more, expected) => {
  expect(mayRunWithAnswer(toolSpec('look', more))).toBe(expected);
});

it('a model call may take longer if tools run with its answer', () => {
  expect(timeForTools({ chainId: 'first' })).toBe(1000);
  expect(timeForTools({})).toBe(0);
});

describe('callsWithAnswer', () => {
  const call = (n: number, more: Partial<PlannedCall> = {}): PlannedCall => ({
    toolUseId: `t1.${n}`,
    request: { name: 'look', input: {}, hash: 'h' },
    name: 'look',
    tool: toolSpec('look', quick),
    ...more,
  });
  const plan = (...calls: PlannedCall[]): CallPlan => ({ calls, dropped: [] });
  const { tool: _, ...toolless } = call(1);

  it('returns the calls that run, without those that cannot be run', () => {
    const problem = { type: 'InvalidArguments', message: 'no' } as const;
    const calls = [call(1), call(2, { problem }), toolless, call(4)];
    expect(callsWithAnswer(plan(...calls))).toEqual([calls[0], calls[3]]);
    expect(callsWithAnswer(plan())).toEqual([]);
  });

  it('returns none if one of them must run elsewhere', () => {
    expect(callsWithAnswer(plan(call(1), call(2, { tool: toolSpec('write') })))).toEqual([]);
  });

  it('returns none if one of them waits for another', () => {
    expect(callsWithAnswer(plan(call(1), call(2, { lane: 'look' })))).toEqual([]);
  });

  it('ignores calls with a lower priority than others', () => {
    expect(callsWithAnswer({ calls: [call(1)], dropped: [call(2, { tool: toolSpec('write') })] })).toEqual([call(1)]);
  });

  it('returns no more than may run with one answer', () => {
    const calls = Array.from({ length: WITH_ANSWER.calls + 1 }, (_, i) => call(i + 1));
    expect(callsWithAnswer(plan(...calls))).toEqual(calls.slice(0, WITH_ANSWER.calls));
    expect(callsWithAnswer(plan(...calls.slice(1)))).toEqual(calls.slice(1));
  });
});
