import type { QuestionState, Replied, Reply } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import { ACTIVITY, type CheckReplyInput, type CheckReplyResult } from '../../agent/protocol/activities';
import type { AgentState } from '../../agent/state/state';
import type { Json } from '../../agent/values/json';
import type { Run } from '../run/run';
import { openQuestions } from '../state/questions';
import { checkReply } from './check-message';
import { checked } from './decide-approval';

/** Takes a person's answer to a question, or that there is none. */
export async function answerQuestion(run: Run, given: unknown): Promise<Replied> {
  const reply = checkReply(given);
  const { questionId, by } = reply;
  const open = openOrRefused(run.state, questionId);
  const replied = 'decline' in reply ? declined(reply) : await answered(run, open.question, reply.answer);
  // Somebody else may have answered while this answer was checked.
  const { toolUseId } = openOrRefused(run.state, questionId);
  const whole: Replied = { ...replied, at: Date.now(), ...(by === undefined ? {} : { by }) };
  run.apply({ type: 'replied', toolUseId, questionId, reply: whole });
  // Whoever answered has the answer: it need not travel once more.
  const { data: _, ...taken } = whole;
  return taken;
}

type Taken = Pick<Replied, 'action' | 'data'>;

function declined({ reason }: Extract<Reply, { decline: true }>): Taken {
  return { action: 'declined', ...(reason === undefined ? {} : { data: reason }) };
}

async function answered(run: Run, { questionId, schema, url }: QuestionState, answer: Json): Promise<Taken> {
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
  const verdict = await checked<CheckReplyResult>(run, ACTIVITY.checkReply, input, `${questionId}: check the answer`);
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
      ...(by === undefined ? {} : { by }),
    });
  }
  const pending = open.map(({ question }) => question.questionId);
  throw new HoldfastError('QuestionNotFound', { id, questionId, pending });
}
