import type { Remember } from '../../agent/approvals/approval';
import type { BudgetLimits } from '../../agent/budget/amounts';
import type { BudgetAmounts } from '../../agent/budget/budget';
import type { MessageReceipt, Steer } from '../../agent/conversation/messages';
import type { QuestionOutcome } from '../../agent/conversation/questions';
import { HoldfastError } from '../../agent/errors/error';
import type { ChatMessage } from '../../agent/model/chat/chat-message';
import type { ContextBudget } from '../../agent/model/context-window';
import type { ContentPart, Message } from '../../agent/model/message';
import type { CompactReceipt } from '../../agent/protocol/calls/compaction';
import type { ModelSwitch } from '../../agent/protocol/commands/model-switch';
import type { Undone } from '../../agent/protocol/commands/undo';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { Pending } from '../../agent/protocol/queries';
import type { RunResult } from '../../agent/protocol/run';
import type { StreamDelta } from '../../agent/protocol/stream';
import type { ApprovalOutcome } from '../../agent/state/batch';
import type { BudgetScope } from '../../agent/state/budget-state';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { Json, JsonObject } from '../../agent/values/json';
import type { EventsOptions } from '../feed/merge-deltas';
import { answerOf, type ExchangeResult } from '../runs/answer-to';
import type { QuestionRef } from '../runs/command-handle';
import type { ApprovalRef, ResultOptions } from '../runs/run-handle';
import type { TranscriptOptions } from '../runs/transcript';
import { wholeState } from '../runs/whole-state';
import type { RemoteApi, RemoteRequest } from './api';
import { readEvents } from './events';

/** Seconds that one request for a result waits. */
const WAIT = 55;

type Ended<Output> = { status: 'completed' } & RunResult<Output>;
type Failed = { status: 'failed'; error: { type: string; message: string; data?: JsonObject } };

/**
 * One run behind a served address: its events, its result, and its commands. Who acts is the user of the token. Every
 * method throws `NoServer`, and the errors of `RunHandle` and of the server, such as `RunNotFound` and `MissingScope`.
 */
export class RemoteRun<Output = unknown> {
  /** Made by `RemoteClient`. */
  constructor(
    private readonly api: RemoteApi,
    /** The run's id, which is the workflow id. */
    readonly id: string,
  ) {}

  /** Sends a message, and does not wait for the answer. A message with an `id` is accepted once. */
  send(message: string | ContentPart[], { id }: { id?: string } = {}): Promise<MessageReceipt> {
    return this.#post('/messages', { ...said(message), ...defined({ id }) });
  }

  /** Sends a message during an exchange. With `when: 'now'` it interrupts a model call in progress. */
  steer(
    message: string | ContentPart[],
    { id, when }: { id?: string } & Pick<Steer, 'when'> = {},
  ): Promise<MessageReceipt> {
    return this.#post('/steer', { ...said(message), ...defined({ id, when }) });
  }

  /** Answers a question: with a text, or with a value that fits its schema. */
  answer(question: QuestionRef, answer: Json): Promise<Omit<QuestionOutcome, 'data'>> {
    return this.#reply(question, { answer });
  }

  /** Declines to answer a question. The agent is told, with the reason. */
  decline(question: QuestionRef, { reason }: { reason?: string } = {}): Promise<Omit<QuestionOutcome, 'data'>> {
    return this.#reply(question, { decline: true, ...defined({ reason }) });
  }

  /** Lets a call run. */
  approve(ask: ApprovalRef, given: { remember?: Remember; comment?: string } = {}): Promise<ApprovalOutcome> {
    return this.#decide(ask, 'approve', { remember: given.remember, comment: given.comment });
  }

  /** Keeps a call from running. The model is told who denied it and why. */
  deny(ask: ApprovalRef, given: { remember?: Remember; reason?: string } = {}): Promise<ApprovalOutcome> {
    return this.#decide(ask, 'deny', { remember: given.remember, reason: given.reason });
  }

  /** Lets a call run with other arguments. */
  edit(
    ask: ApprovalRef,
    given: { input: JsonObject; remember?: Remember; comment?: string },
  ): Promise<ApprovalOutcome> {
    return this.#decide(ask, 'edit', { input: given.input, remember: given.remember, comment: given.comment });
  }

  /** Calls the model again at once, if the run waits because it does not answer. */
  async retry(): Promise<void> {
    await this.#post('/retry');
  }

  /** Has the run use another model from its next call on. */
  switchModel(alias: string): Promise<ModelSwitch> {
    return this.#post('/model', { model: alias });
  }

  /** Replaces old messages in what the model is sent; the newest `keep` stay. */
  compact({ keep }: { keep?: number } = {}): Promise<CompactReceipt> {
    return this.#post('/compact', defined({ keep }));
  }

  /** Raises limits of the budget. Takes the new limits, and resolves with all that are in force. */
  raiseBudget(limits: BudgetAmounts, { scope }: { scope?: BudgetScope } = {}): Promise<BudgetLimits> {
    return this.#post('/budget', { ...limits, ...defined({ scope }) });
  }

  /** Undoes effects of tools: the given number of the last ones, or that of one call. Waits until they are undone. */
  undo(what: number | { toolUseId: string } = 1, { signal }: { signal?: AbortSignal } = {}): Promise<Undone> {
    const body = typeof what === 'number' ? { count: what } : { toolUseId: what.toolUseId };
    return this.#post('/undo', body, defined({ signal }));
  }

  /** Gives the run a title, which lists show. */
  async rename(title: string): Promise<void> {
    await this.#post('/rename', { title });
  }

  /** Asks the run to stop. It does not wait for the end. */
  async cancel(): Promise<void> {
    await this.#post('/cancel');
  }

  /** Stops the exchange in progress of a conversation. */
  interrupt(): Promise<{ exchange: number }> {
    return this.#post('/interrupt');
  }

  /** Regenerates the last answer of a conversation in a new exchange. */
  regenerate(): Promise<MessageReceipt> {
    return this.#post('/regenerate');
  }

  /** Ends a conversation after the messages that wait. */
  close(): Promise<{ ahead: number }> {
    return this.#post('/close');
  }

  /**
   * Waits for the end of the run.
   * @throws HoldfastError with the type that the run ended with: `ToolQuotaExhausted`, `Cancelled`, …
   */
  async result(options: ResultOptions & { history: true }): Promise<RunResult<Output> & { messages: Message[] }>;
  async result(options?: ResultOptions): Promise<RunResult<Output> & { messages?: Message[] }>;
  async result({ history = false, signal }: ResultOptions = {}): Promise<RunResult<Output> & { messages?: Message[] }> {
    for (;;) {
      const request = { query: { wait: WAIT }, ...defined({ signal }) };
      const answer = await this.#get<Ended<Output> | Failed | { status: 'running' }>('/result', request);
      if (answer.status === 'failed') {
        throw HoldfastError.revive(answer.error.type, answer.error.message, answer.error.data);
      }
      if (answer.status === 'running') continue;
      const { status: _, ...result } = answer;
      return history ? { ...result, messages: await this.transcript() } : result;
    }
  }

  /** Waits for the answer of one exchange, which `send` returned. */
  answerTo(
    taken: Pick<MessageReceipt, 'exchange'> & Partial<MessageReceipt>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ExchangeResult<Output>> {
    const facts = this.facts({ after: taken.after ?? 0, ...defined({ signal }) });
    return answerOf<Output>(this.id, taken, facts, signal);
  }

  /** Every fact to the end of the run, each exactly once, in order, over lost connections. */
  facts({ after = 0, signal }: EventsOptions = {}): AsyncGenerator<Fact, void, undefined> {
    // Without deltas there is nothing else.
    return this.#events({ after, signal, deltas: false }) as AsyncGenerator<Fact, void, undefined>;
  }

  /** The facts, and the deltas of the answer in progress. After a lost connection these start over. */
  events({ after = 0, signal }: EventsOptions = {}): AsyncGenerator<Fact | StreamDelta, void, undefined> {
    return this.#events({ after, signal, deltas: true });
  }

  /** The state of the run: turn, quota, usage, awaited calls. */
  async state(): Promise<RunState> {
    return wholeState(await this.#get<RunState>(''));
  }

  /** How much of the model's context window the last call used, or `null`. */
  async budget(): Promise<ContextBudget | null> {
    return (await this.state()).budget ?? null;
  }

  /** The messages of the run so far. */
  transcript(options: TranscriptOptions & { form: 'openai' }): Promise<ChatMessage[]>;
  transcript(options?: TranscriptOptions & { form?: 'parts' }): Promise<Message[]>;
  async transcript({ from, form }: TranscriptOptions = {}): Promise<Message[] | ChatMessage[]> {
    const query = defined({ from, form });
    return (await this.#get<{ messages: Message[] }>('/transcript', { query })).messages;
  }

  /**
   * Everything of this run, and of the agents that work for it, that waits for an approval, an answer, a result, or a model
   * that gives no answer.
   */
  async waiting(): Promise<Pending> {
    // Servers before this version tell of no models.
    return { models: [], ...(await this.#get<Omit<Pending, 'models'> & Partial<Pending>>('/waiting')) };
  }

  /**
   * Why nothing happens in the run, such as a model that gives no answer, also that of an agent which works for it.
   * `undefined` if no reason is known: it works, waits for a person, or has ended.
   */
  async problem(): Promise<string | undefined> {
    return (await this.#get<{ problem?: string }>('/problem', { patience: 0 })).problem;
  }

  /** The full result of a tool call. `undefined` if there is none. */
  async toolResult(toolUseId: string): Promise<ContentPart[] | undefined> {
    try {
      return (await this.#get<{ content: ContentPart[] }>(`/calls/${encodeURIComponent(toolUseId)}/result`)).content;
    } catch (error) {
      if (error instanceof HoldfastError && error.type === 'InvalidMessage') return undefined;
      throw error;
    }
  }

  #events(reading: Parameters<typeof readEvents>[2]): AsyncGenerator<Fact | StreamDelta, void, undefined> {
    return readEvents(this.api, `${pathOf(this.id)}/events`, reading);
  }

  /** A question, like a call, of an agent that works for this run belongs to that agent's run. */
  #reply(question: QuestionRef, body: object): Promise<Omit<QuestionOutcome, 'data'>> {
    const { questionId, id = this.id } = typeof question === 'string' ? { questionId: question } : question;
    const path = `${pathOf(id)}/questions/${encodeURIComponent(questionId)}/answer`;
    return this.api.json(path, { method: 'POST', body });
  }

  #decide({ id = this.id, toolUseId, hash }: ApprovalRef, decision: string, given: object): Promise<ApprovalOutcome> {
    const path = `${pathOf(id)}/calls/${encodeURIComponent(toolUseId)}/${decision}`;
    return this.api.json(path, { method: 'POST', body: defined({ hash, ...given }) });
  }

  #get<Answer>(path: string, request: RemoteRequest = {}): Promise<Answer> {
    return this.api.json(`${pathOf(this.id)}${path}`, request);
  }

  #post<Answer>(path: string, body?: object, request: RemoteRequest = {}): Promise<Answer> {
    return this.api.json(`${pathOf(this.id)}${path}`, { ...request, method: 'POST', body });
  }
}

/** Where a run is in the API. */
export function pathOf(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

function said(message: string | ContentPart[]): object {
  return typeof message === 'string' ? { text: message } : { parts: message };
}
