import type { Question, QuestionOutcome } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import { completionRejected, taskCompleted } from '../../agent/prompts/answers';
import { planApproved } from '../../agent/prompts/plans';
import {
  messageSent,
  questionDeclined,
  questionEmpty,
  questionExpired,
  questionWithdrawn,
} from '../../agent/prompts/questions';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolOf } from '../../agent/protocol/manifest';
import { isJsonObject, type Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import type { ToolCall } from '../state/selectors/calls';
import { isConversation } from '../state/selectors/mode';
import { outputOf } from '../turn/finish';
import { ask } from '../waits/questions';

/** What ends the loop after a batch: the result of a task or an exchange, or a message that needs no answer. */
export type LoopExit = { type: 'complete'; data: Json; text: string } | { type: 'converse'; message: string };

/** The outcome of a tool of the loop. */
export interface LoopToolOutcome extends ToolOutcome {
  exit?: LoopExit;
}

/**
 * Runs a tool of the loop itself. An `exit` ends the loop once the batch is settled. A failed tool has no `exit`.
 * @throws HoldfastError `QuestionExpired` where no answer came in time and the agent's rules end the run for that
 */
export async function runLoopTool(run: Run, gated: ToolCall<ToolOf<'loop'>>): Promise<LoopToolOutcome> {
  const { call, tool } = gated;
  const { loop } = tool;
  if (loop.does === 'complete') return complete(run, gated);
  // A person has approved it, or no rule asks for that. Its steps run when the call has settled.
  if (loop.does === 'plan') return { content: [{ type: 'text', text: planApproved() }] };
  const { question, message, suggestions, answer_schema: schema = loop.schema } = call.input;
  const text = loop.does === 'ask' ? question : message;
  if (typeof text !== 'string' || text.trim() === '') {
    return errorOutcome('ToolFailed', questionEmpty(tool.modelName));
  }
  if (loop.does === 'converse' && isConversation(run.state)) {
    return { content: [{ type: 'text', text: messageSent() }], exit: { type: 'converse', message: text } };
  }
  const asked: Omit<Question, 'askedAt'> = {
    questionId: call.toolUseId,
    question: text,
    ...(Array.isArray(suggestions) && suggestions.length > 0 ? { suggestions: suggestions.map(String) } : {}),
    ...(isJsonObject(schema) ? { schema } : {}),
  };
  const [reply] = await ask(run, call, [asked], loop.expires);
  if (reply === undefined) return errorOutcome('QuestionWithdrawn', questionWithdrawn());
  if (reply.action === 'expired' && loop.onExpire === 'fail') {
    throw new HoldfastError('QuestionExpired', { id: run.state.id, questionId: call.toolUseId, tool: tool.name });
  }
  return outcomeOf(reply);
}

function outcomeOf({ action, data = '' }: QuestionOutcome): ToolOutcome {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  switch (action) {
    case 'answered':
      return { content: [{ type: 'text', text }] };
    case 'declined':
      return errorOutcome('QuestionDeclined', questionDeclined(text));
    case 'expired':
      return errorOutcome('QuestionExpired', questionExpired());
    case 'withdrawn':
      return errorOutcome('QuestionWithdrawn', questionWithdrawn());
  }
}

/** Checks the result as it would check an answer in plain text. */
async function complete(run: Run, { call, tool }: ToolCall): Promise<LoopToolOutcome> {
  const { result = '' } = call.input;
  const content = typeof result === 'string' ? result : JSON.stringify(result);
  const built = await outputOf(run, content);
  if ('error' in built) return errorOutcome('InvalidArguments', completionRejected(tool.modelName, built.error));
  const { data } = built;
  return {
    content: [{ type: 'text', text: taskCompleted() }],
    exit: { type: 'complete', data, text: typeof data === 'string' ? data : JSON.stringify(data) },
  };
}
