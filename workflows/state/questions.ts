import type { QuestionState, Replied } from '../../agent/conversation/questions';
import type { FactBody } from '../../agent/protocol/fact';
import type { AgentState } from '../../agent/state/state';
import type { Step } from './append';
import { callOf, changed } from './waits';

/** What happens to the questions of a call. */
export type QuestionInput =
  | { type: 'questionsAsked'; toolUseId: string; questions: QuestionState[] }
  | { type: 'replied'; toolUseId: string; questionId: string; reply: Replied };

/** The run after a question was asked, or ended. Pure, a part of `step`. */
export function stepQuestion(state: AgentState, input: QuestionInput): Step {
  const { toolUseId } = input;
  const before = callOf(state, toolUseId)?.questions ?? [];
  if (input.type === 'questionsAsked') {
    const questions = [...before, ...input.questions];
    return changed(state, toolUseId, { questions }, (name) =>
      input.questions.map(({ askedAt: _, reply: _none, ...question }): FactBody => {
        return { type: 'question.asked', turn: state.turn, toolUseId, name, ...question };
      }),
    );
  }
  const { questionId, reply } = input;
  const { action, data, by, at } = reply;
  const questions = before.map((open) => (open.questionId === questionId ? { ...open, reply } : open));
  const next = changed(state, toolUseId, { questions }, (name) => [
    {
      type: `question.${action}`,
      turn: state.turn,
      toolUseId,
      name,
      questionId,
      ...(data === undefined ? {} : { answer: data }),
      ...(by === undefined ? {} : { by }),
    },
  ]);
  const replied = { ...state.replied, [questionId]: { action, at, ...(by === undefined ? {} : { by }) } };
  return { ...next, state: { ...next.state, replied } };
}

/** Questions that wait, with the calls that ask them. */
export function openQuestions({
  awaiting,
}: Pick<AgentState, 'awaiting'>): { toolUseId: string; name: string; question: QuestionState }[] {
  return awaiting
    .filter(({ outcome }) => outcome === undefined)
    .flatMap(({ toolUseId, name, questions = [] }) =>
      questions.filter(({ reply }) => reply === undefined).map((question) => ({ toolUseId, name, question })),
    );
}
