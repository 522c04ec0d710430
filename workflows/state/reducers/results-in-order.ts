import type { Message } from '../../../agent/model/message';
import type { AgentState, BatchCall } from '../../../agent/state/state';

/**
 * The results of a whole batch as messages, in the order of its calls: chat templates of open models show neither id nor
 * name of a result, so a model tells them apart by their places alone.
 */
export function resultsInOrder({ batch, turn }: AgentState): Message[] {
  return batch.map((call) => resultMessage(call, turn));
}

function resultMessage({ toolUseId, name, problem, outcome }: BatchCall, turn: number): Message {
  const error = problem ?? outcome?.error;
  const content = outcome?.content ?? [{ type: 'text' as const, text: problem?.message ?? '' }];
  return {
    role: 'user',
    parts: [
      { type: 'tool_result', toolUseId, name, content, ...(error === undefined ? {} : { isError: true as const }) },
    ],
    turn,
  };
}
