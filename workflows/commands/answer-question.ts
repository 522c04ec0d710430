import type { QuestionAnswer, QuestionOutcome, QuestionState } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type CheckReplyInput, type CheckReplyResult } from '../../agent/protocol/activities';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import { openQuestions } from '../state/selectors/questions';
import { checkReply } from './check-message';
import { checkByActivity } from './decide-approval';

/** Takes a person's answer to a question, or that there is none. */
export async function answerQuestion(run: Run, given: unknown): Promise<QuestionOutcome> {
  const reply = checkReply(given);
  const { questionId, by } = reply;
  const open = openOrRefused(run.state, questionId);
  const replied = 'decline' in reply ? declined(reply) : await answered(run, open.question, reply.answer);
  // Somebody else may have answered while this answer was checked.
  const { toolUseId } = openOrRefused(run.state, questionId);
  const whole: QuestionOutcome = { ...replied, at: Date.now(), ...defined({ by }) };
  run.apply({ type: 'replied', toolUseId, questionId, reply: whole });
  // Whoever answered has the answer: it need not travel once more.
  const { data: _, ...taken } = whole;
  return taken;
}

type MessageReceipt = Pick<QuestionOutcome, 'action' | 'data'>;

function declined({ reason }: Extract<QuestionAnswer, { decline: true }>): MessageReceipt {
  return { action: 'declined', ...defined({ data: reason }) };
}

async function answered(run: Run, { questionId, schema, url }: QuestionState, answer: Json): Promise<MessageReceipt> {
  const { id } = run.state;
  const refuse = (problem: string) => new HoldfastError('InvalidReply', { id, questionId, problem });
  if (url !== undefined) return { action: 'answered', data: answer };
  if (schema === undefined) {
    if (typeof answer === 'object') throw refuse('Expected a text');
    const text = String(answer);
    if (text.trim() === '') throw refuse('Expected a text that is not empty');
    return { action: 'answered', data: text };
  }
  const input: CheckReplyInput = { schema, answer };
  const verdict = await checkByActivity<CheckReplyResult>(
    run,
    ACTIVITY.checkReply,
    input,
    `${questionId}: check the answer`,
  );
  if (!verdict.ok) throw refuse(verdict.problem);
  return { action: 'answered', data: verdict.value === undefined ? answer : verdict.value };
}

function openOrRefused(state: AgentState, questionId: string): ReturnType<typeof openQuestions>[number] {
  const { id, replied } = state;
  const open = openQuestions(state);
  const found = open.find(({ question }) => question.questionId === questionId);
  if (found !== undefined) return found;
  const done = Object.hasOwn(replied, questionId) ? replied[questionId] : undefined;
  if (done?.action === 'expired') throw new HoldfastError('QuestionExpired', { id, questionId });
  if (done !== undefined) {
    const { action, by, at } = done;
    const when = new Date(at).toISOString();
    throw new HoldfastError('QuestionClosed', {
      id,
      questionId,
      action,
      at: when,
      ...defined({ by }),
    });
  }
  const pending = open.map(({ question }) => question.questionId);
  throw new HoldfastError('QuestionNotFound', { id, questionId, pending });
}
