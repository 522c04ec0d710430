import type { QuestionState } from '../../../agent/conversation/questions';
import type { AgentState } from '../../../agent/state/state';
import { waitsFor } from './wait-of';

/** Open questions, with the calls that ask them. */
export function openQuestions({
  batch,
}: Pick<AgentState, 'batch'>): { toolUseId: string; name: string; question: QuestionState }[] {
  return waitsFor(batch, 'question').flatMap(({ call: { toolUseId, name }, questions }) =>
    questions.map((question) => ({ toolUseId, name, question })),
  );
}
