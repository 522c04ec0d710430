import type { TextPart } from '../../agent/model/message';
import { isCompletion } from '../../agent/plan/lanes';
import type { CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ToolSpec } from '../../agent/protocol/manifest';

/**
 * A concluding answer, of which no call runs. Models that have learnt to give the result by a call of `task_completion` do so here
 * as well, whatever the request says: the result is then the text of the answer.
 * @param tools as the run has pinned them
 */
export function concludingAnswer(answer: CallModelResult, tools: readonly ToolSpec[]): CallModelResult {
  const completion = tools.find(isCompletion);
  const call = answer.toolRequests.find(({ name }) => name === completion?.modelName);
  const result = call?.input.result ?? '';
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  if (text.trim() === '') return answer;
  const said: TextPart = { type: 'text', text };
  // What the provider attached belongs to the call.
  const { providerData: _, ...rest } = answer;
  return { ...rest, type: 'text', parts: [said], toolRequests: [], finishReason: 'stop' };
}
