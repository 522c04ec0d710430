import type { Message } from '../../../agent/model/message';
import type { BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';
import { errorOf } from '../selectors/calls';

/**
 * The results of a whole batch as messages, in the order of its calls. Chat templates of open models show neither the
 * id nor the name of a result, so a model can tell results apart only by their order.
 */
export function resultsInOrder({ batch, turn }: AgentState): Message[] {
  return batch.map((call) => resultMessage(call, turn));
}

function resultMessage(call: BatchCall, turn: number): Message {
  const { toolUseId, name } = call;
  const error = errorOf(call);
  const content =
    call.status === 'settled' ? call.outcome.content : [{ type: 'text' as const, text: error?.message ?? '' }];
  return {
    role: 'user',
    parts: [
      { type: 'tool_result', toolUseId, name, content, ...(error === undefined ? {} : { isError: true as const }) },
    ],
    turn,
  };
}
