import fc from 'fast-check';
import type { ModelAnswer, ToolRequest } from '../../../agent/model/answer';
import { answerMessage, expectedMessage } from '../../../agent/plan/answer-message';
import { planCalls } from '../../../agent/plan/plan-calls';
import type { ToolSpec } from '../../../agent/protocol/manifest';

const tool = (name: string, priority: number) =>
  ({ kind: 'internal', name, modelName: name.replace('.', '_'), priority }) as ToolSpec;
const TOOLS = [tool('math.add', 0), tool('math.sub', 0), tool('urgent', 1)];

const request = fc.record(
  {
    name: fc.constantFrom('math_add', 'math_sub', 'urgent', 'constructor'),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    hash: fc.constant('h'),
    providerId: fc.string(),
    rawInput: fc.string(),
  },
  { requiredKeys: ['name', 'input', 'hash'] },
);
const text = fc.record({ type: fc.constant('text' as const), text: fc.string() });

function answerOf(toolRequests: ToolRequest[], parts: ModelAnswer['parts'] = []): ModelAnswer {
  return {
    type: 'tool_call',
    parts,
    toolRequests,
    finishReason: 'tool_calls',
    usage: { prompt: 1, completion: 1 },
    executionUnits: 1,
    model: 'm',
  };
}

test('the message that a worker expects is the one of the run, whenever the run drops no call', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 5 }), fc.array(text), fc.nat(), (requests, parts, turn) => {
      const answer = answerOf(requests as ToolRequest[], parts);
      const { calls, dropped } = planCalls(answer.toolRequests, {
        turn,
        manifest: { tools: TOOLS },
        unknownOutcomes: [],
      });
      const message = answerMessage(answer, turn, calls);
      const expected = expectedMessage(answer, turn, TOOLS);
      if (dropped.length === 0) expect(JSON.stringify(expected)).toBe(JSON.stringify(message));
      else expect(expected).not.toEqual(message);
    }),
  );
});
