import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { Fact, FactBody } from '../../../agent/protocol/facts/fact';
import type { RunSpan } from '../../../agent/protocol/span';
import type { StepInput } from '../../../workflows/state/reduce';
import { abandonedSpans, callSpans } from '../../../workflows/view/call-spans';
import { fold } from '../state/fold';
import { batchCall, runState } from '../state-data';

const call = (more: Parameters<typeof batchCall>[0]) => batchCall({ toolUseId: 't2.1', input: { a: 1 }, ...more });
const state = (more: Parameters<typeof batchCall>[0]) => runState([], { turn: 2, batch: [call(more)] });
const service = { ref: 'run-1/t2.1', kind: 'agent' as const, since: 100, status: 'awaited' as const };
const question = { hash: 'h', key: '', requestedAt: 50 };
const approval = { ...question, status: 'asked' as const };
const at = { seq: 9, exchange: 1, time: 400, turn: 2, toolUseId: 't2.1', name: 'ask' };

test('a service has a span from its call to the result', () => {
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

test('a tool with an activity gets its span there, not here', () => {
  expect(callSpans(state({}), { ...at, type: 'tool.result', content: [] })).toEqual([]);
});

test('a decision has a span from the approval request to the decision', () => {
  const decision = { decision: 'deny' as const, by: 'ann', at: 400, comment: 'no' };
  const fact: Fact = { ...at, type: 'approval.decided', decision: 'deny', by: 'ann', comment: 'no' };
  expect(callSpans(state({ approval: { ...question, status: 'decided', decision } }), fact)).toMatchObject([
    { kind: 'GUARDRAIL', start: 50, end: 400, decision: 'deny', by: 'ann', comment: 'no' },
  ]);
  // The error of the denied call adds no second one.
  const error: Fact = { ...at, type: 'tool.error', error: { type: 'Denied', message: 'no' } };
  expect(callSpans(state({ approval: { ...question, status: 'decided', decision } }), error)).toEqual([]);
});

test('a wait that is open when the run ends has a span that ends with the run', () => {
  expect(abandonedSpans(state({ approval }), { time: 500 })).toMatchObject([{ kind: 'GUARDRAIL', decision: 'none' }]);
  expect(abandonedSpans(state({ service }), { time: 500 })).toMatchObject([
    { kind: 'TOOL', start: 100, end: 500, error: { type: 'ToolCancelled' } },
  ]);
  expect(abandonedSpans(state({ service, outcome: { content: [] } }), { time: 500 })).toEqual([]);
  expect(abandonedSpans(state({}), { time: 500 })).toEqual([]);
});

describe('a call', () => {
  const asked: StepInput = {
    type: 'approvalsAsked',
    asked: [{ toolUseId: 't2.1', hash: 'h', key: '', requestedAt: 50 }],
  };
  const decided = (more: Partial<Extract<StepInput, { type: 'decided' }>['decided']>): StepInput => ({
    type: 'decided',
    toolUseId: 't2.1',
    decided: { decision: 'approve', by: 'ann', at: 90, ...more },
  });
  const called: StepInput = {
    type: 'serviceCalled',
    toolUseId: 't2.1',
    service: { ref: 'run-1/t2.1', kind: 'event', since: 100 },
  };
  const settled = (outcome: ToolOutcome): StepInput => ({ type: 'settled', toolUseId: 't2.1', outcome });
  const about = { turn: 2, toolUseId: 't2.1', name: 'ask', input: { a: 1 } };
  const error = { type: 'ServiceFailed' as const, message: 'no' };

  /** The spans that end with the last fact of these inputs, at 400. */
  function spansAfter(...inputs: StepInput[]): RunSpan[] {
    const after = fold(state({}), ...inputs);
    return callSpans(after.state, { ...(after.facts.at(-1) as FactBody), seq: 9, time: 400, exchange: 1 });
  }

  test.each(['approve', 'deny', 'edit'] as const)('that a person decided on has a span of it: %s', (decision) => {
    const edit = { input: { a: 2 }, hash: 'h2', key: '' };
    expect(spansAfter(asked, decided({ decision, ...(decision === 'edit' ? { edit } : {}) }))).toStrictEqual([
      { kind: 'GUARDRAIL', start: 50, end: 400, ...about, decision, by: 'ann' },
    ]);
  });

  test.each([true, false])('with a remembered decision has a span that says so: %j', (allowed) => {
    const grant = { tool: 'ask', key: '', allowed, by: 'bob', at: 1, comment: 'as always' };
    expect(spansAfter({ type: 'remembered', toolUseId: 't2.1', hash: 'h', grant, at: 70 })).toStrictEqual([
      {
        ...{ kind: 'GUARDRAIL', start: 70, end: 400, ...about },
        ...{ decision: allowed ? 'approve' : 'deny', remembered: true, by: 'bob', comment: 'as always' },
      },
    ]);
  });

  test('whose approval expired has a span', () => {
    expect(spansAfter(asked, { type: 'approvalExpired', toolUseId: 't2.1', at: 80 })).toStrictEqual([
      { kind: 'GUARDRAIL', start: 50, end: 400, ...about, decision: 'expired' },
    ]);
  });

  test('that settled before a decision has a span without one', () => {
    expect(spansAfter(asked, settled({ content: [], error }))).toStrictEqual([
      { kind: 'GUARDRAIL', start: 50, end: 400, ...about, decision: 'none' },
    ]);
  });

  test('that was not run has a span with its error and without a service', () => {
    const problem = { type: 'UnknownTool' as const, message: 'no such tool' };
    const fact: Fact = { ...at, type: 'tool.error', error: problem };
    expect(callSpans(state({ problem }), fact)).toStrictEqual([
      { kind: 'TOOL', start: 400, end: 400, ...about, error: problem },
    ]);
  });

  test('of a service has a span from its start to the answer, with the arguments that ran', () => {
    const edit = { input: { a: 2 }, hash: 'h2', key: '' };
    const answered: StepInput = { type: 'serviceAnswered', toolUseId: 't2.1', answer: { error: 'no' }, at: 300 };
    const run = [asked, decided({ decision: 'edit', edit }), called, answered, settled({ content: [], error })];
    expect(spansAfter(...run)).toStrictEqual([
      {
        ...{ kind: 'TOOL', start: 100, end: 300, ...about, input: { a: 2 } },
        ...{ service: { kind: 'event', ref: 'run-1/t2.1' }, error },
      },
    ]);
  });

  test('has no span while it is open', () => {
    expect(spansAfter(asked)).toEqual([]);
    expect(spansAfter(asked, decided({}), called)).toEqual([]);
    expect(callSpans(state({}), { ...at, type: 'tool.call', input: {} })).toEqual([]);
  });

  test('has no span for a fact about another call, or about none', () => {
    expect(callSpans(state({ service }), { ...at, toolUseId: 't9.9', type: 'tool.result', content: [] })).toEqual([]);
    expect(callSpans(state({ service }), { seq: 1, exchange: 1, time: 1, type: 'tool.none', turn: 2 })).toEqual([]);
    // Facts of an undo name calls, too.
    const undo: Fact = { seq: 1, exchange: 1, time: 1, type: 'undo.done', toolUseId: 't2.1', name: 'ask', text: '' };
    expect(callSpans(state({ service }), undo)).toEqual([]);
  });

  test('that is open when the run ends gets its missing span', () => {
    const ended = { type: 'ToolCancelled', message: 'The run ended first.' };
    const spans = (...inputs: StepInput[]) => abandonedSpans(fold(state({}), ...inputs).state, { time: 500 });
    expect(spans(asked)).toStrictEqual([{ kind: 'GUARDRAIL', start: 50, end: 500, ...about, decision: 'none' }]);
    expect(spans(asked, decided({}), called)).toStrictEqual([
      {
        ...{ kind: 'TOOL', start: 100, end: 500, ...about },
        ...{ service: { kind: 'event', ref: 'run-1/t2.1' }, error: ended },
      },
    ]);
    expect(spans(asked, decided({}))).toEqual([]);
    expect(spans(asked, settled({ content: [] }))).toEqual([]);
    const problem = { type: 'UnknownTool' as const, message: 'no' };
    expect(abandonedSpans(state({ problem }), { time: 500 })).toEqual([]);
  });
});
