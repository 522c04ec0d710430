import type { ModelAnswer } from '../model/answer';
import type { Message } from '../model/message';
import type { ToolSpec } from '../protocol/manifest';
import { defined } from '../values/defined';
import { type PlannedCall, toolUseIdOf } from './plan-calls';

/** The part of a planned call that a transcript has. */
type HandledCall = Pick<PlannedCall, 'toolUseId' | 'name' | 'request'>;

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
  const calls = answer.toolRequests.map((request, i): HandledCall => {
    const tool = tools.find(({ modelName }) => modelName === request.name);
    return { toolUseId: toolUseIdOf(turn, i), name: tool?.name ?? request.name, request };
  });
  return answerMessage(answer, turn, calls);
}
