import { planCalls } from '../../../agent/plan/plan-calls';
import { hashOfArguments } from '../../../runtime/sha256';
import { modelAnswer, runState, toolSpec, type UnhashedRequest } from '../../workflows/state-data';

const request = (name: string, more: Partial<UnhashedRequest> = {}): UnhashedRequest => ({ name, input: {}, ...more });
const tools = [
  toolSpec('lookup', { effect: 'read' }),
  toolSpec('refund', { priority: 1 }),
  toolSpec('files.move', { kind: 'mcp', effect: 'once' }),
];

function calls(requests: UnhashedRequest[], more = {}) {
  return planCalls(modelAnswer({ requests }).toolRequests, runState(tools, { turn: 3, ...more }));
}

describe('planCalls', () => {
  it('mints ids by turn and place, also where the provider repeats or omits its own', () => {
    const decision = calls([
      request('lookup', { providerId: 'a' }),
      request('lookup', { providerId: 'a' }),
      request('lookup'),
    ]);
    expect(decision.calls.map((c) => [c.toolUseId, c.request.providerId])).toEqual([
      ['t3.1', 'a'],
      ['t3.2', 'a'],
      ['t3.3', undefined],
    ]);
  });

  it('maps model-facing names back by the table', () => {
    expect(calls([request('files_move')]).calls[0]?.name).toBe('files.move');
  });

  it('runs only the calls of the highest priority and tells which were dropped', () => {
    const decision = calls([request('lookup', { input: { id: 1 } }), request('refund'), request('nothing_like_it')]);
    expect(decision.calls.map((c) => c.name)).toEqual(['refund']);
    expect(decision.calls[0]?.toolUseId).toBe('t3.2');
    expect(decision.dropped.map(({ name, request }) => [name, request.input])).toEqual([
      ['lookup', { id: 1 }],
      ['nothing_like_it', {}],
    ]);
  });

  it.each([
    ['lokup', 'Similar tools: lookup'],
    ['files.move', 'Similar tools: files_move'],
    ['xxxxxxxxxxxxxxxxxxxxxxxxx', 'Tools: lookup, refund, files_move'],
  ])('answers the unknown tool %s with names that exist', (name, hint) => {
    const [call] = calls([request(name)]).calls;
    expect(call?.problem?.type).toBe('UnknownTool');
    expect(call?.problem?.message).toContain(hint);
  });

  it('keeps the problem that the model activity found in the arguments', () => {
    const problem = { type: 'InvalidArguments' as const, message: 'id: expected string' };
    expect(calls([request('lookup', { problem })]).calls[0]?.problem).toEqual(problem);
  });

  it('runs at most 500 calls of one answer, since the engine holds 2,000 and fails for ever past them', () => {
    const decision = calls(Array.from({ length: 600 }, () => request('lookup')));
    expect(decision.calls).toHaveLength(600);
    expect(decision.calls.filter((call) => call.problem?.type === 'TooManyCalls')).toHaveLength(100);
  });

  it('refuses the same call again after an unknown outcome, whatever the order of its arguments', () => {
    const unknownOutcomes = [
      { toolUseId: 't1.1', name: 'files.move', hash: hashOfArguments({ a: 1, b: { c: 2, d: 3 } }) },
    ];
    const [same] = calls([request('files_move', { input: { b: { d: 3, c: 2 }, a: 1 } })], { unknownOutcomes }).calls;
    const [other] = calls([request('files_move', { input: { a: 2 } })], { unknownOutcomes }).calls;
    expect(same?.problem?.type).toBe('OutcomeUnknown');
    expect(same?.problem?.message).toContain('t1.1');
    expect(other?.problem).toBeUndefined();
  });
});
