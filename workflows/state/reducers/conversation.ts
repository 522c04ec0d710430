import type { QueuedMessage } from '../../../agent/conversation/messages';
import type { Message, ToolUsePart } from '../../../agent/model/message';
import type { ExchangeEnd, FactBody } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import type { Json, JsonObject } from '../../../agent/values/json';
import { append, personMessage, type Reducers, type Step, stoppedBy, userText } from './append';
import { exchangeBudget } from './budget';
import { useModel } from './model/use-model';
import { withoutBreakers } from './progress/breakers';

/** Inputs about the messages of people to a run, and about the exchanges that follow. */
export type ConversationInput =
  | { type: 'received'; message: QueuedMessage; ahead: number }
  | { type: 'steered'; message: QueuedMessage; when: 'queue' | 'now' }
  | { type: 'idling'; since: number }
  /** `at`: milliseconds since 1970. */
  | { type: 'exchangeBegun'; at?: number }
  | { type: 'exchangeEnded'; reason: Exclude<ExchangeEnd, 'completed'>; data?: Json; error?: Failure; by?: string }
  | { type: 'withdrawn'; why: 'steered' | 'interrupted' | 'deadline'; by?: string }
  | { type: 'renamed'; title: string; by?: string }
  | { type: 'closing'; why: 'closed' | 'idle'; by?: string };

type Failure = { type: string; message: string; data?: JsonObject };

/** Reducers for messages and exchanges. */
export const conversationReducers: Reducers<ConversationInput> = {
  received: (state, { message, ahead }) => {
    const fact: FactBody = { type: 'message.received', into: message.exchange, ahead, ...senderOf(message) };
    return { state: noted({ ...state, inbox: [...state.inbox, message] }, message, ahead), facts: [fact] };
  },
  steered: (state, { message, when }) => {
    const sender = senderOf(message);
    const fact: FactBody = { type: 'message.received', into: message.exchange, ahead: 0, ...sender, steers: when };
    return { state: noted({ ...state, steers: [...state.steers, message] }, message, 0), facts: [fact] };
  },
  idling: (state, { since }) => ({ state: { ...state, idleSince: since }, facts: [] }),
  exchangeBegun,
  exchangeEnded: (state, { reason, data, error, by }) =>
    exchangeEnded(state, { reason, ...defined({ data, error: error && plainError(error), by }) }),
  withdrawn: (state, input) => ({
    state,
    facts: [{ type: 'text.withdrawn', turn: state.turn, why: input.why, ...by(input) }],
  }),
  renamed: (state, input) => ({
    state: { ...state, title: input.title },
    facts: [{ type: 'run.renamed', title: input.title, ...by(input) }],
  }),
  closing: (state, input) => {
    const closing = { why: input.why, ...by(input) };
    return { state: { ...state, closing }, facts: [{ type: 'conversation.closing', ...closing }] };
  },
};

/** The error without its other fields. */
function plainError({ type, message, data }: Failure): Failure {
  return { type, message, ...defined({ data }) };
}

/** What people said and took back since the last model call, as messages. */
export function unread({ notes, steers, turn }: AgentState): Message[] {
  return [
    ...(notes.length === 0 ? [] : [userText(notes.join('\n'), turn)]),
    ...steers.map((message) => personMessage(message, turn)),
  ];
}

/** Messages that no exchange will answer. They are kept, since their senders were told that they were taken. */
export function unanswered({ inbox, turn }: AgentState): Message[] {
  return inbox.filter(({ regenerates }) => regenerates === undefined).map((message) => personMessage(message, turn));
}

/** Adds messages that came too late for the model to the transcript. */
export function late(state: AgentState): Step {
  const { steers, turn } = state;
  return append(
    { ...state, steers: [] },
    steers.map((message) => personMessage(message, turn)),
  );
}

/** The first waiting message opens its exchange. The quotas and the chain of models start over, the chain with the choice of a person. */
function exchangeBegun(state: AgentState, { at = 0 }: { at?: number }): Step {
  const [next, ...inbox] = state.inbox;
  if (next === undefined) throw new Error('no message waits');
  const { exchange, regenerates } = next;
  const { notes, rejected: _, idleSince: __, reminder: ___, repeated: ____, ...rest } = withoutBreakers(state);
  const begun: AgentState = {
    ...useModel({ ...rest, notes: [] }, { model: state.chosen?.at ?? 0 }),
    inbox,
    exchange,
    phase: { at: 'working' },
    notes: [],
    lifecycle: 'message',
    concluding: false,
    toolInteractions: { ...state.toolInteractions, current: 0 },
    ...exchangeBudget(state, at),
  };
  const start: FactBody = { type: 'exchange.start', ...defined({ regenerates }), ...senderOf(next) };
  if (regenerates !== undefined) return rewritten({ ...begun, notes }, start);
  const told = notes.length === 0 ? [] : [userText(notes.join('\n'), state.turn)];
  const opened = state.messages.length + told.length;
  return append({ ...begun, opened }, [...told, personMessage(next, state.turn)], [start]);
}

/** Drops only the last answer: asking again does not undo what tools did. */
function rewritten(state: AgentState, start: FactBody): Step {
  const length = lastAnswer(state);
  const epoch = state.epoch + 1;
  // Earlier histories hold what was dropped: readers must not take it for what follows now.
  const chain = state.chain.map((link) => ({ ...link, messages: Math.min(link.messages, length) }));
  const next = withoutSummary({
    ...state,
    epoch,
    chain,
    asked: { since: 0 },
    messages: state.messages.slice(0, length),
  });
  return { state: next, facts: [start, { type: 'transcript.rewritten', epoch, length }] };
}

/** A summary that covers dropped messages is dropped, too; what fits is then chosen again from the whole transcript. */
function withoutSummary(state: AgentState): AgentState {
  const { summary, trimming, messages } = state;
  if (summary === undefined || summary.upTo <= messages.length) return state;
  const { summary: _, ...rest } = state;
  const { summary: __, ...window } = trimming;
  return { ...rest, trimming: { ...window, from: 0 } };
}

/**
 * Index of the answer that ended the last exchange, or the length of the transcript where no answer ended it. The
 * answer may be a call of a tool that only gives answers, with text after its result.
 */
function lastAnswer({ messages, opened, manifest }: AgentState): number {
  let at = messages.length;
  const before = () => messages[at - 1];
  if (before()?.role === 'assistant' && callsOf(before()).length === 0 && at - 1 > opened) at--;
  const spoken = new Set(
    manifest?.tools.filter((tool) => tool.kind === 'loop' && tool.loop.does !== 'ask').map(({ name }) => name),
  );
  let from = at;
  while (messages[from - 1]?.parts.every((part) => part.type === 'tool_result' && spoken.has(part.name))) from--;
  const calls = callsOf(messages[from - 1]);
  const gaveIt = from < at && calls.length > 0 && calls.every(({ name }) => spoken.has(name));
  return gaveIt ? from - 1 : at;
}

function callsOf(message: Message | undefined): ToolUsePart[] {
  return message?.parts.filter((part) => part.type === 'tool_use') ?? [];
}

/** The conversation waits for the next message. */
export function exchangeEnded(
  state: AgentState,
  end: Omit<Extract<FactBody, { type: 'exchange.end' }>, 'type' | 'turn'>,
): Step {
  const read = late({ ...state, phase: { at: 'idle' } });
  const answered = end.data === undefined ? {} : { answer: { exchange: state.exchange, data: end.data } };
  return {
    state: { ...read.state, ...answered },
    facts: [...read.facts, { type: 'exchange.end', turn: state.turn, ...end, ...stoppedBy(state, end.reason) }],
  };
}

/** Ids of messages that are remembered: more than clients can send again. */
const REMEMBERED = 1000;

function noted(state: AgentState, { id, exchange }: QueuedMessage, ahead: number): AgentState {
  if (id === undefined) return state;
  // Sorted by their place among the facts: an object lists keys such as `17` first, regardless of when they were added.
  // Object.fromEntries, since an id may be `__proto__`.
  const entries = Object.entries(state.taken)
    .sort(([, a], [, b]) => a.after - b.after)
    .slice(1 - REMEMBERED);
  return { ...state, taken: Object.fromEntries([...entries, [id, { exchange, ahead, after: state.facts }]]) };
}

function senderOf({ id, by: sender }: QueuedMessage): { id?: string; by?: string } {
  return { ...defined({ id, by: sender }) };
}

function by({ by: who }: { by?: string }): { by?: string } {
  return defined({ by: who });
}
