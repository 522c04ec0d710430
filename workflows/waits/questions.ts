import { isCancellation } from '@temporalio/workflow';
import type { Question, QuestionOutcome } from '../../agent/conversation/questions';
import type { BatchCall } from '../../agent/state/batch';
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
  const asked = askedBefore(run, toolUseId, questions) ?? askNow(run, toolUseId, questions, expires);
  const [{ expiresAt } = {}] = asked;
  const replies = () =>
    asked.map(
      ({ questionId }) => run.call(toolUseId)?.questions?.find((other) => other.questionId === questionId)?.reply,
    );
  const answered = () => replies().every((reply) => reply !== undefined);
  try {
    const summary = `${toolUseId} ${name}: question expires`;
    const expiry = expiresAt === undefined ? undefined : { ms: expiresAt - Date.now(), summary };
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

/** The questions, if they were asked in an earlier history: people have the time that is left. */
function askedBefore(
  run: Run,
  toolUseId: string,
  questions: readonly Pick<Question, 'questionId'>[],
): Question[] | undefined {
  const known = run.call(toolUseId)?.questions ?? [];
  const asked = questions.flatMap(({ questionId }) => known.filter((other) => other.questionId === questionId));
  return asked.length > 0 && asked.length === questions.length ? asked : undefined;
}

function askNow(
  run: Run,
  toolUseId: string,
  questions: readonly Omit<Question, 'askedAt' | 'expiresAt'>[],
  expires: number | undefined,
): Question[] {
  const askedAt = Date.now();
  const expiresAt = expires === undefined ? {} : { expiresAt: askedAt + expires };
  const asked = questions.map((question) => ({ ...question, askedAt, ...expiresAt }));
  run.apply({ type: 'questionsAsked', toolUseId, questions: asked });
  return asked;
}
