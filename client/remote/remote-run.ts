import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { ChatMessage } from '../../agent/model/chat/chat-message';
import type { ContextBudget } from '../../agent/model/context-window';
import type { ContentPart, Message } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { Pending } from '../../agent/protocol/queries';
import type { RunResult } from '../../agent/protocol/run';
import type { StreamDelta } from '../../agent/protocol/stream';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import type { EventsOptions } from '../feed/merge-deltas';
import { answerOf, type ExchangeResult } from '../runs/answer-to';
import type { ResultOptions } from '../runs/run-handle';
import type { TranscriptOptions } from '../runs/transcript';
import { wholeState } from '../runs/whole-state';
import type { RemoteRequest } from './api';
import { readEvents } from './events';
import { pathOf, RemoteCommands } from './remote-commands';

/** Seconds that one request for a result waits. */
const WAIT = 55;

type Ended<Output> = { status: 'completed' } & RunResult<Output>;
type Failed = { status: 'failed'; error: { type: string; message: string; data?: JsonObject } };

/**
 * One run behind a served address: its events, its result, and its commands. Who acts is the user of the token. Every
 * method throws `NoServer`, and the errors of `RunHandle` and of the server, such as `RunNotFound` and `MissingScope`.
 */
export class RemoteRun<Output = unknown> extends RemoteCommands {
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

  #get<Answer>(path: string, request: RemoteRequest = {}): Promise<Answer> {
    return this.api.json(`${pathOf(this.id)}${path}`, request);
  }
}
