import type { QuestionAnswer, QuestionOutcome } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type CheckReplyInput, type CheckReplyResult } from '../../agent/protocol/activities';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import { openQuestions } from '../state/selectors/questions';
import { Parked } from './settle-command';

/** Takes a person's answer to a question, or their refusal. An answer that has to fit a schema is checked first. */
export function answerQuestion(run: Run, reply: QuestionAnswer): QuestionOutcome | Parked<CheckReplyResult> {
  const { id } = run.state;
  const { questionId, by } = reply;
  const { question } = openOrRefused(run.state, questionId);
  if ('decline' in reply) return end(run, questionId, { action: 'declined', ...defined({ data: reply.reason, by }) });
  const { answer } = reply;
  const refuse = (problem: string) => new HoldfastError('InvalidReply', { id, questionId, problem });
  const take = (data: Json) => end(run, questionId, { action: 'answered', data, ...defined({ by }) });
  const { schema, url } = question;
  if (url !== undefined) return take(answer);
  if (schema !== undefined) {
    const input: CheckReplyInput = { schema, answer };
    return new Parked(
      { activity: ACTIVITY.checkReply, input, summary: `${questionId}: check the answer` },
      (verdict) => {
        if (!verdict.ok) throw refuse(verdict.problem);
        return take(verdict.value === undefined ? answer : verdict.value);
      },
    );
  }
  if (typeof answer === 'object') throw refuse('Expected a string');
  const text = String(answer);
  if (text.trim() === '') throw refuse('Expected a non-empty string');
  return take(text);
}

/** Another client may have answered while this answer was checked. */
function end(run: Run, questionId: string, reply: Omit<QuestionOutcome, 'at'>): QuestionOutcome {
  const { toolUseId } = openOrRefused(run.state, questionId);
  const whole: QuestionOutcome = { ...reply, at: Date.now() };
  run.apply({ type: 'replied', toolUseId, questionId, reply: whole });
  // The sender has the answer: it need not be sent back.
  const { data: _, ...taken } = whole;
  return taken;
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
