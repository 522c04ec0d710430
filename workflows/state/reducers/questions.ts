import type { QuestionOutcome, QuestionState } from '../../../agent/conversation/questions';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { callOf } from '../selectors/calls';
import type { Reducers } from './append';
import { changeCall } from './waits';

/** Inputs about the questions of a call. */
export type QuestionInput =
  | { type: 'questionsAsked'; toolUseId: string; questions: QuestionState[] }
  | { type: 'replied'; toolUseId: string; questionId: string; reply: QuestionOutcome };

/** Reducers for questions. */
export const questionReducers: Reducers<QuestionInput> = {
  questionsAsked: (state, { toolUseId, questions: asked }) => {
    const questions = [...questionsOf(state, toolUseId), ...asked];
    return changeCall(state, toolUseId, { questions }, (name) =>
      asked.map(({ askedAt: _, reply: _none, ...question }): FactBody => {
        return { type: 'question.asked', turn: state.turn, toolUseId, name, ...question };
      }),
    );
  },
  replied: (state, { toolUseId, questionId, reply }) => {
    const { action, data, by, at } = reply;
    const questions = questionsOf(state, toolUseId).map((open) =>
      open.questionId === questionId ? { ...open, reply } : open,
    );
    const { turn } = state;
    const next = changeCall(state, toolUseId, { questions }, (name) => [
      { type: `question.${action}`, turn, toolUseId, name, questionId, ...defined({ answer: data, by }) },
    ]);
    const replied = { ...state.replied, [questionId]: { action, at, ...defined({ by }) } };
    return { ...next, state: { ...next.state, replied } };
  },
};

function questionsOf(state: AgentState, toolUseId: string): readonly QuestionState[] {
  return callOf(state, toolUseId)?.questions ?? [];
}
