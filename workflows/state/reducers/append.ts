import type { QueuedMessage } from '../../../agent/conversation/messages';
import type { Message } from '../../../agent/model/message';
import { conclude } from '../../../agent/prompts/answers';
import { concludeRepeating, concludeSilent } from '../../../agent/prompts/breakers';
import { budgetIsUsedUp } from '../../../agent/prompts/budget';
import type { ExchangeEnd, FactBody } from '../../../agent/protocol/facts/fact';
import type { BudgetReached } from '../../../agent/state/budget-state';
import type { Conclusion } from '../../../agent/state/conclusion';
import type { RunEnd } from '../../../agent/state/phase';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { spentByRun } from '../selectors/spent';
import { thinkingFacts } from './thinking';

/** The run after an input, and the facts about the change. */
export interface Step {
  state: AgentState;
  facts: FactBody[];
}

/** A pure function for each kind of input. */
export type Reducers<Input extends { type: string }> = {
  readonly [Type in Input['type']]: (state: AgentState, input: Extract<Input, { type: Type }>) => Step;
};

/** The state with more messages, and `facts` followed by the facts about these messages. */
export function append(state: AgentState, messages: readonly Message[], facts: readonly FactBody[] = []): Step {
  const index = state.messages.length;
  return {
    state: messages.length === 0 ? state : { ...state, messages: [...state.messages, ...messages] },
    facts: [
      ...facts,
      ...messages.flatMap((message, i): FactBody[] => [
        { type: 'message', turn: message.turn, index: index + i, message },
        ...thinkingFacts(state, message, index + i),
      ]),
    ],
  };
}

export function userText(text: string, turn: number): Message {
  return { role: 'user', parts: [{ type: 'text', text }], turn };
}

export function loopEnd(state: AgentState, { reason, error }: RunEnd): FactBody {
  return {
    type: 'loop.end',
    reason,
    turns: state.turn,
    ...spentByRun(state),
    ...stoppedBy(state, reason),
    ...(error === undefined ? {} : { error: { type: error.type, message: error.message } }),
  };
}

/** The limit that ended a run, or an exchange, with its conclusion. */
export function stoppedBy({ budgets, concluding }: AgentState, reason: ExchangeEnd): { stoppedBy?: BudgetReached } {
  return reason === 'completed' && concluding === 'budget' ? defined({ stoppedBy: budgets?.reached }) : {};
}

/** A person's message. */
export function personMessage({ parts }: QueuedMessage, turn: number): Message {
  return { role: 'user', parts, turn };
}

/** Asks for a conclusion, before the one further call after a quota or the budget is used up. */
export function concludeMessage({ budgets, toolInteractions, turn }: AgentState, conclusion: Conclusion): Message {
  if (conclusion === 'repeating') return userText(concludeRepeating(), turn);
  if (conclusion === 'silent') return userText(concludeSilent(), turn);
  const kind = conclusion === 'budget' ? budgets?.reached?.kind : undefined;
  return userText(kind === undefined ? conclude(toolInteractions.max) : budgetIsUsedUp(kind), turn);
}
