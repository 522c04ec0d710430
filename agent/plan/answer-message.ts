import type { ModelAnswer } from '../model/answer';
import type { Message } from '../model/message';
import type { ToolSpec } from '../protocol/manifest';
import { defined } from '../values/defined';
import { type HandledCall, handledCall } from './plan-calls';

/** The message of an answer, with those of its calls that the run handles. */
export function answerMessage(
  { parts, providerData }: Pick<ModelAnswer, 'parts' | 'providerData'>,
  turn: number,
  calls: readonly HandledCall[] = [],
): Message {
  const uses = calls.map(({ toolUseId, name, request: { input, rawInput, providerId } }) => ({
    type: 'tool_use' as const,
    toolUseId,
    name,
    input,
    ...defined({ rawInput, providerId }),
  }));
  return { role: 'assistant', parts: [...parts, ...uses], turn, ...defined({ providerData }) };
}

/**
 * The message of an answer if the run handles all of its calls, as it nearly always does. The worker that has the answer
 * keeps this message, so that the run need not send it back.
 */
export function expectedMessage(answer: ModelAnswer, turn: number, tools: readonly ToolSpec[]): Message {
  const calls = answer.toolRequests.map((request, index) =>
    handledCall(request, { turn, index, tool: tools.find(({ modelName }) => modelName === request.name) }),
  );
  return answerMessage(answer, turn, calls);
}
