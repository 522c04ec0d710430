import { isCancellation } from '@temporalio/workflow';
import type { Question, QuestionOutcome } from '../../agent/conversation/questions';
import type { BatchCall } from '../../agent/state/state';
import type { Run } from '../run/run';
import { wait } from './wait';

/**
 * Asks people all questions of a call at once, and waits until each is answered, declined, expired or withdrawn.
 * Returns the outcomes in the order of the questions. A cancel withdraws those that are open.
 */
export async function ask(
  run: Run,
  { toolUseId, name }: BatchCall,
  questions: readonly Omit<Question, 'askedAt' | 'expiresAt'>[],
  expires?: number,
): Promise<QuestionOutcome[]> {
  const askedAt = Date.now();
  const expiresAt = expires === undefined ? {} : { expiresAt: askedAt + expires };
  const asked = questions.map((question) => ({ ...question, askedAt, ...expiresAt }));
  run.apply({ type: 'questionsAsked', toolUseId, questions: asked });
  const replies = () =>
    asked.map(
      ({ questionId }) => run.call(toolUseId)?.questions?.find((other) => other.questionId === questionId)?.reply,
    );
  const answered = () => replies().every((reply) => reply !== undefined);
  try {
    const summary = `${toolUseId} ${name}: question expires`;
    const expiry = expires === undefined ? undefined : { ms: expires, summary };
    if (!(await wait(run, answered, expiry))) end('expired');
  } catch (error) {
    if (!isCancellation(error)) throw error;
    end('withdrawn');
  }
  // Questions without an outcome have received one above.
  return replies() as QuestionOutcome[];

  function end(action: 'expired' | 'withdrawn'): void {
    const at = Date.now();
    replies().forEach((reply, i) => {
      const questionId = asked[i]?.questionId ?? '';
      if (reply === undefined) run.apply({ type: 'replied', toolUseId, questionId, reply: { action, at } });
    });
  }
}
