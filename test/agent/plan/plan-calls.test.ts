import { MAX_CALLS } from '../../../agent/limits';
import { planCalls, priorityOf, repeatedUnknown } from '../../../agent/plan/plan-calls';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { hashOfArguments } from '../../../runtime/sha256';
import { modelAnswer, runState, toolSpec, type UnhashedRequest } from '../../workflows/state-data';

const request = (name: string, more: Partial<UnhashedRequest> = {}): UnhashedRequest => ({ name, input: {}, ...more });
const requestsOf = (...names: string[]) => modelAnswer({ requests: names.map((name) => request(name)) }).toolRequests;
const lookup = toolSpec('lookup', { effect: 'read' });
const refund = toolSpec('refund', { priority: 1 });
const move = toolSpec('files.move', { kind: 'mcp', effect: 'once' });

function calls(requests: UnhashedRequest[], more = {}, tools: ToolSpec[] = [lookup, refund, move]) {
  return planCalls(modelAnswer({ requests }).toolRequests, runState(tools, { turn: 3, ...more }));
}

describe('planCalls', () => {
  it('turns each request into a call of its tool', () => {
    const note = toolSpec('note', { serial: 'tool' });
    const [first, second] = requestsOf('lookup', 'note');
    expect(planCalls(requestsOf('lookup', 'note'), runState([lookup, note], { turn: 3 }))).toStrictEqual({
      calls: [
        { toolUseId: 't3.1', request: first, name: 'lookup', tool: lookup },
        { toolUseId: 't3.2', request: second, name: 'note', tool: note, lane: 'note' },
      ],
      dropped: [],
    });
  });

  it('makes no calls without requests', () => {
    expect(calls([])).toEqual({ calls: [], dropped: [] });
  });

  it('makes ids from turn and position, even if the provider repeats or omits its own', () => {
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

  it('maps model-facing names back with the table', () => {
    expect(calls([request('files_move')]).calls[0]?.name).toBe('files.move');
  });

  it('runs only the calls with the highest priority and returns which were dropped', () => {
    const decision = calls([
      request('lookup', { input: { id: 1 } }),
      request('refund'),
      request('nothing_like_it'),
      request('refund'),
    ]);
    expect(decision.calls.map(({ toolUseId, name }) => [toolUseId, name])).toEqual([
      ['t3.2', 'refund'],
      ['t3.4', 'refund'],
    ]);
    expect(decision.dropped.map(({ name, request }) => [name, request.input])).toEqual([
      ['lookup', { id: 1 }],
      ['nothing_like_it', {}],
    ]);
  });

  it('treats a call of an unknown tool as priority 0, above negative priorities', () => {
    const last = toolSpec('last', { priority: -1 });
    expect(calls([request('last')], {}, [last]).calls.map(({ name }) => name)).toEqual(['last']);
    const { calls: run, dropped } = calls([request('last'), request('nowhere')], {}, [last]);
    expect([run, dropped].map((list) => list.map(priorityOf))).toEqual([[0], [-1]]);
  });

  it.each([
    ['lokup', 'Similar tools: lookup.'],
    ['files.move', 'Similar tools: files_move.'],
    ['xxxxxxxxxxxxxxxxxxxxxxxxx', 'Tools: lookup, refund, files_move.'],
  ])('answers the unknown tool %s with names that exist', (name, hint) => {
    expect(calls([request(name)]).calls).toStrictEqual([
      {
        toolUseId: 't3.1',
        request: requestsOf(name)[0],
        name,
        problem: { type: 'UnknownTool', message: `There is no tool named \`${name}\`. ${hint}` },
      },
    ]);
  });

  it('names the first 20 of many tools, and says if there are none', () => {
    const names = Array.from({ length: 21 }, (_, i) => `${i}`.padStart(2, '0').repeat(20));
    const message = (more: object, tools?: ToolSpec[]) =>
      calls([request('xx')], more, tools).calls[0]?.problem?.message;
    const many = names.map((name) => toolSpec(name));
    expect(message({}, many)).toBe(`There is no tool named \`xx\`. Tools: ${names.slice(0, 20).join(', ')}.`);
    expect(message({}, [])).toBe('There is no tool named `xx`. You have no tools: answer without one.');
    const [call] = planCalls(requestsOf('xx'), { turn: 1, unknownOutcomes: [] }).calls;
    expect(call?.problem?.message).toBe('There is no tool named `xx`. You have no tools: answer without one.');
  });

  it('keeps the problem that the model activity found in the arguments, whatever else is wrong', () => {
    const problem = { type: 'InvalidArguments' as const, message: 'id: expected string' };
    const many = Array.from({ length: MAX_CALLS + 1 }, () => request('lookup', { problem }));
    for (const call of calls(many).calls) expect(call.problem).toBe(problem);
    expect(calls([request('nowhere', { problem })]).calls[0]?.problem).toBe(problem);
  });

  it('runs at most 500 calls of one answer, since Temporal allows 2,000 and fails on every retry above', () => {
    const note = toolSpec('note', { serial: 'tool' });
    const decision = calls(
      Array.from({ length: 502 }, () => request('note')),
      {},
      [note],
    );
    expect(decision.calls).toHaveLength(502);
    const runs = decision.calls.filter(({ problem }) => problem === undefined);
    expect(runs.map(({ toolUseId }) => toolUseId)).toEqual(Array.from({ length: 500 }, (_, i) => `t3.${i + 1}`));
    for (const { problem, lane } of decision.calls.slice(500)) {
      expect({ problem, lane }).toEqual({
        problem: {
          type: 'TooManyCalls',
          message: 'This call was not run: one answer can make at most 500 calls. Make it again in your next answer.',
        },
      });
    }
  });
});

describe('after an unknown outcome', () => {
  const hash = hashOfArguments({ a: 1, b: { c: 2, d: 3 } });
  const unknownOutcomes = [
    { toolUseId: 't1.1', name: 'refund', hash: 'other' },
    { toolUseId: 't1.2', name: 'files.move', hash },
  ];

  it('the same call is not run again, whatever the order of its arguments', () => {
    const [same] = calls([request('files_move', { input: { b: { d: 3, c: 2 }, a: 1 } })], { unknownOutcomes }).calls;
    expect(same?.problem).toEqual({
      type: 'OutcomeUnknown',
      message:
        '`files_move` was not run: it is unknown whether the same call t1.2 took effect, and it must not happen twice. ' +
        'Find out with another tool, or say in your answer that its outcome is unknown.',
    });
  });

  it.each<[string, ToolSpec, string]>([
    ['with other arguments', move, 'other'],
    ['of another tool', toolSpec('files.copy'), hash],
    ['that may be repeated', toolSpec('files.move', { effect: 'idempotent' }), hash],
    ['that changes nothing', toolSpec('files.move', { effect: 'read' }), hash],
  ])('a call %s is run', (_what, tool, hash) => {
    expect(repeatedUnknown(tool, hash, { unknownOutcomes })).toBeUndefined();
    const [call] = calls([request(tool.modelName, { hash })], { unknownOutcomes }, [tool]).calls;
    expect(call?.problem).toBeUndefined();
  });

  it('the same call is run if a person decides about it', () => {
    const asked = toolSpec('files.move', { approval: { asks: false, onExpire: 'deny' } });
    expect(repeatedUnknown(asked, hash, { unknownOutcomes })).toBe(unknownOutcomes[1]);
    const [call] = calls([request('files_move', { hash })], { unknownOutcomes }, [asked]).calls;
    expect(call?.problem).toBeUndefined();
  });
});
