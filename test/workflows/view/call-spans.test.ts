import type { Fact } from '../../../agent/protocol/fact';
import { abandonedSpans, callSpans } from '../../../workflows/view/call-spans';
import { batchCall, runState } from '../state-data';

const call = (more: Parameters<typeof batchCall>[0]) => batchCall({ toolUseId: 't2.1', input: { a: 1 }, ...more });
const state = (more: Parameters<typeof batchCall>[0]) => runState([], { turn: 2, batch: [call(more)] });
const service = { ref: 'run-1/t2.1', kind: 'agent' as const, since: 100, status: 'awaited' as const };
const question = { hash: 'h', key: '', requestedAt: 50 };
const approval = { ...question, status: 'asked' as const };
const at = { seq: 9, exchange: 1, time: 400, turn: 2, toolUseId: 't2.1', name: 'ask' };

test('a service has a span from the question to the result', () => {
  const fact: Fact = { ...at, type: 'tool.result', content: [{ type: 'text', text: 'yes' }] };
  const answer = { data: 'yes', executionUnits: 3 };
  const answered = { ...service, status: 'answered' as const, answer, answeredAt: 400 };
  expect(callSpans(state({ service: answered }), fact)).toEqual([
    {
      kind: 'TOOL',
      start: 100,
      end: 400,
      turn: 2,
      toolUseId: 't2.1',
      name: 'ask',
      input: { a: 1 },
      output: [{ type: 'text', text: 'yes' }],
      service: { ref: 'run-1/t2.1', kind: 'agent', executionUnits: 3 },
    },
  ]);
});

test('a tool with an activity has its span there, not here', () => {
  expect(callSpans(state({}), { ...at, type: 'tool.result', content: [] })).toEqual([]);
});

test('a decision has a span from the question to the answer, whoever answered', () => {
  const decision = { decision: 'deny' as const, by: 'ann', at: 400, comment: 'no' };
  const fact: Fact = { ...at, type: 'approval.decided', decision: 'deny', by: 'ann', comment: 'no' };
  expect(callSpans(state({ approval: { ...question, status: 'decided', decision } }), fact)).toMatchObject([
    { kind: 'GUARDRAIL', start: 50, end: 400, decision: 'deny', by: 'ann', comment: 'no' },
  ]);
  // The denied call's error brings no second one.
  const error: Fact = { ...at, type: 'tool.error', error: { type: 'Denied', message: 'no' } };
  expect(callSpans(state({ approval: { ...question, status: 'decided', decision } }), error)).toEqual([]);
});

test('what was still waited for when the run ended has its span then', () => {
  expect(abandonedSpans(state({ approval }), { time: 500 })).toMatchObject([{ kind: 'GUARDRAIL', decision: 'none' }]);
  expect(abandonedSpans(state({ service }), { time: 500 })).toMatchObject([
    { kind: 'TOOL', start: 100, end: 500, error: { type: 'ToolCancelled' } },
  ]);
  expect(abandonedSpans(state({ service, outcome: { content: [] } }), { time: 500 })).toEqual([]);
  expect(abandonedSpans(state({}), { time: 500 })).toEqual([]);
});
