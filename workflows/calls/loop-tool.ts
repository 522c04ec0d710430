import type { Question, QuestionOutcome } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import type { ToolOf } from '../../agent/protocol/manifest';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
import { isJsonObject, type Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import { isConversation } from '../state/selectors/mode';
import { outputOf } from '../turn/finish';
import type { ToolCall } from '../waits/approvals';
import { ask } from '../waits/questions';

/** What ends the loop after a batch: the result of a task or an exchange, or a message that needs no answer. */
export type LoopExit = { type: 'complete'; data: Json; text: string } | { type: 'converse'; message: string };

const WITHDRAWN = 'The question was withdrawn: the person went on without answering it.';

/**
 * Runs a tool of the loop itself. An `exit` ends the loop once the batch is settled. A failed tool has no `exit`.
 * @throws HoldfastError `QuestionExpired` where no answer came in time and the agent's rules end the run for that
 */
export async function runLoopTool(
  run: Run,
  gated: ToolCall<ToolOf<'loop'>>,
): Promise<{ outcome: ToolOutcome; exit?: LoopExit }> {
  const { call, tool } = gated;
  const { loop } = tool;
  if (loop.does === 'complete') return complete(run, gated);
  const { question, message, suggestions, answer_schema: schema = loop.schema } = call.input;
  const text = loop.does === 'ask' ? question : message;
  if (typeof text !== 'string' || text.trim() === '') {
    return {
      outcome: errorOutcome('ToolFailed', `\`${tool.modelName}\` was empty: write what the person is to read.`),
    };
  }
  if (loop.does === 'converse' && isConversation(run.state)) {
    return {
      outcome: { content: [{ type: 'text', text: "Message sent. The person's reply follows." }] },
      exit: { type: 'converse', message: text },
    };
  }
  const asked: Omit<Question, 'askedAt'> = {
    questionId: call.toolUseId,
    question: text,
    ...(Array.isArray(suggestions) && suggestions.length > 0 ? { suggestions: suggestions.map(String) } : {}),
    ...(isJsonObject(schema) ? { schema } : {}),
  };
  const [reply] = await ask(run, call, [asked], loop.expires);
  if (reply === undefined) return { outcome: errorOutcome('QuestionWithdrawn', WITHDRAWN) };
  if (reply.action === 'expired' && loop.onExpire === 'fail') {
    throw new HoldfastError('QuestionExpired', { id: run.state.id, questionId: call.toolUseId, tool: tool.name });
  }
  return { outcome: outcomeOf(reply) };
}

function outcomeOf({ action, data = '' }: QuestionOutcome): ToolOutcome {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  switch (action) {
    case 'answered':
      return { content: [{ type: 'text', text }] };
    case 'declined':
      return errorOutcome('QuestionDeclined', `The person does not want to answer${text === '' ? '.' : `: ${text}`}`);
    case 'expired':
      return errorOutcome('QuestionExpired', 'No answer came in time.');
    case 'withdrawn':
      return errorOutcome('QuestionWithdrawn', WITHDRAWN);
  }
}

/** Checks the result as it would check an answer in plain text. */
async function complete(run: Run, { call, tool }: ToolCall): Promise<{ outcome: ToolOutcome; exit?: LoopExit }> {
  const { result = '' } = call.input;
  const content = typeof result === 'string' ? result : JSON.stringify(result);
  const built = await outputOf(run, content);
  if ('error' in built) return { outcome: errorOutcome('InvalidArguments', `\`${tool.modelName}\`: ${built.error}`) };
  const { data } = built;
  return {
    outcome: { content: [{ type: 'text', text: 'Done.' }] },
    exit: { type: 'complete', data, text: typeof data === 'string' ? data : JSON.stringify(data) },
  };
}
