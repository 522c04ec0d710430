import type { QuestionState } from '../../../agent/conversation/questions';
import type { AgentState } from '../../../agent/state/state';

/** Questions that wait, with the calls that ask them. */
export function openQuestions({
  batch,
}: Pick<AgentState, 'batch'>): { toolUseId: string; name: string; question: QuestionState }[] {
  return batch
    .filter(({ status }) => status === 'open')
    .flatMap(({ toolUseId, name, questions = [] }) =>
      questions.filter(({ reply }) => reply === undefined).map((question) => ({ toolUseId, name, question })),
    );
}
