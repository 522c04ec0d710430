import type { QueuedMessage } from '../../../agent/conversation/messages';
import type { ModelAnswer } from '../../../agent/model/answer';
import type { Message } from '../../../agent/model/message';
import { conclude } from '../../../agent/prompts/answers';
import type { FactBody } from '../../../agent/protocol/fact';
import type { RunEnd } from '../../../agent/state/phase';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';

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
      ...messages.map((message, i): FactBody => ({ type: 'message', turn: message.turn, index: index + i, message })),
    ],
  };
}

export function userText(text: string, turn: number): Message {
  return { role: 'user', parts: [{ type: 'text', text }], turn };
}

/** The message of a model's answer. */
export function answerMessage(state: AgentState, { parts, providerData }: ModelAnswer): Message {
  return { role: 'assistant', parts, turn: state.turn, ...defined({ providerData }) };
}

export function loopEnd({ turn, usage, executionUnits, cost }: AgentState, { reason, error }: RunEnd): FactBody {
  return {
    type: 'loop.end',
    reason,
    turns: turn,
    usage,
    executionUnits,
    ...defined({ cost }),
    ...(error === undefined ? {} : { error: { type: error.type, message: error.message } }),
  };
}

/** A person's message. */
export function personMessage({ parts }: QueuedMessage, turn: number): Message {
  return { role: 'user', parts, turn };
}

/** Asks for a conclusion, before the one further call after the quota is used up. */
export function concludeMessage(max: number, turn: number): Message {
  return userText(conclude(max), turn);
}
