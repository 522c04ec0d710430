import type { WorkflowHandle } from '@temporalio/client';
import type { Decider, Decision, PendingApproval, Remember } from '../../agent/approvals/approval';
import type { ChatMessage } from '../../agent/model/chat/chat-message';
import type { ContextBudget } from '../../agent/model/context-window';
import type { ContentPart, Message } from '../../agent/model/message';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { Fact } from '../../agent/protocol/facts/fact';
import { QUERY } from '../../agent/protocol/queries';
import type { RunResult } from '../../agent/protocol/run';
import { firstOf, type StreamDelta } from '../../agent/protocol/stream';
import type { ApprovalOutcome } from '../../agent/state/batch';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { hurryFeed, joinFeed } from '../feed/feeds';
import { type EventsOptions, type FactReading, mergeDeltas } from '../feed/merge-deltas';
import { wholeResult } from '../feed/tool-result';
import { orHoldfastError } from '../requests/client-error';
import { patientQuery } from '../requests/patient-query';
import { refusal } from '../requests/tell';
import { throughOutages } from '../requests/through-outages';
import { problemOf } from '../silence/run-problem';
import { sendDecision } from '../waits/decide';
import { type AtLeast, type Waiting, type WaitingOptions, waitingOf } from '../waits/waiting';
import { CommandHandle } from './command-handle';
import { readChatMessages, readTranscript, type TranscriptOptions } from './transcript';
import { wholeState } from './whole-state';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type DecisionBody = Without<Decision, 'toolUseId' | 'hash'>;

/** The call that a decision is for: one from {@link RunHandle.waiting}, or its id. */
export type ApprovalRef = Pick<PendingApproval, 'toolUseId'> & Partial<Pick<PendingApproval, 'id' | 'hash'>>;

/** How to wait for the end of a run. */
export interface ResultOptions {
  /** Also gives the messages. Default false. */
  history?: boolean;
  /** Ends the wait, not the run: it then throws the reason of the signal. */
  signal?: AbortSignal;
}

/** One run: its events, its result, and its commands. */
export class RunHandle<Output = unknown> extends CommandHandle {
  /** The ordinary Temporal handle of this run. */
  get workflow(): WorkflowHandle {
    return this.client.workflow.getHandle(this.id);
  }

  /**
   * Waits for the end of the run, also while the server is away for less than the client's `workerTimeout`.
   * @throws HoldfastError with the type that the run ended with: `ToolQuotaExhausted`, `Cancelled`, …; `NoServer`
   */
  async result(options: ResultOptions & { history: true }): Promise<RunResult<Output> & { messages: Message[] }>;
  async result(options?: ResultOptions): Promise<RunResult<Output> & { messages?: Message[] }>;
  async result({ history = false, signal }: ResultOptions = {}): Promise<RunResult<Output> & { messages?: Message[] }> {
    const end = () => this.workflow.result() as Promise<RunResult<Output>>;
    const { workerTimeout } = this.options;
    const result = await this.#call(() => throughOutages(this.client, end, { signal, workerTimeout }));
    return history ? { ...result, messages: await this.transcript() } : result;
  }

  /**
   * Every fact from the first (or the one after `after`) to the end of the run, each exactly once, in order. Waiting
   * for the next adds nothing to the history. A reader who has had all facts that there were also waits for workers,
   * however long they are away, unless the client has a `workerTimeout` or the run has ended.
   * @throws HoldfastError `RunNotFound`; `NoWorker` when no worker answers within the client's `workerTimeout`
   */
  facts(options: EventsOptions = {}): AsyncGenerator<Fact, void, undefined> {
    return this.#facts(options);
  }

  async *#facts({
    after = 0,
    signal: stop,
    onCaughtUp,
  }: EventsOptions & Partial<FactReading>): AsyncGenerator<Fact, void, undefined> {
    const until = linkedAbort(stop);
    const feed = joinFeed(this.client, this.id);
    const { workerTimeout, followsOn } = this.options;
    try {
      yield* feed.facts(after, until.signal, {
        workerTimeout,
        followsOn,
        onCaughtUp: ({ answered }) => onCaughtUp?.(answered),
      });
    } catch (error) {
      if (!stop?.aborted) throw orHoldfastError(error, this.id);
    } finally {
      until.abort();
      feed.leave();
    }
  }

  /**
   * The facts of the run and, if the client has a bus, the deltas of the answer in progress. Deltas have no number and
   * may be lost.
   * @throws HoldfastError `RunNotFound`, `NoWorker`
   */
  events(options: EventsOptions = {}): AsyncGenerator<Fact | StreamDelta, void, undefined> {
    const { bus } = this.options;
    if (bus === undefined) return this.facts(options);
    // What an answer begins and ends with comes with facts, and the pieces in between do not.
    const hurry = (delta: StreamDelta) =>
      hurryFeed(this.client, this.id, { streams: delta.type !== 'stream.complete' && firstOf(delta) > 0 });
    return mergeDeltas((o) => this.#facts(o), bus, this.id, { ...options, onDelta: hurry });
  }

  /**
   * The state of the run: turn, quota, usage, awaited calls.
   * @throws HoldfastError `RunNotFound`, `NoWorker`
   */
  async state(): Promise<RunState> {
    return wholeState(await this.#query<RunState>(QUERY.state));
  }

  /**
   * How much of the model's context window the last call used. `null` before the first call, or if the window is
   * unknown.
   * @throws HoldfastError `RunNotFound`, `NoWorker`
   */
  budget(): Promise<ContextBudget | null> {
    return this.#query<ContextBudget | null>(QUERY.budget);
  }

  /**
   * The messages of the run so far, as parts, or in the form of OpenAI's chat completions.
   * @throws HoldfastError `RunNotFound`, `NoWorker`
   */
  transcript(options: TranscriptOptions & { form: 'openai' }): Promise<ChatMessage[]>;
  transcript(options?: TranscriptOptions & { form?: 'parts' }): Promise<Message[]>;
  transcript({ from = 0, form = 'parts' }: TranscriptOptions = {}): Promise<Message[] | ChatMessage[]> {
    const read = form === 'openai' ? readChatMessages : readTranscript;
    return read(this.client, { id: this.id, workerTimeout: this.workerTimeout }, from);
  }

  /**
   * Everything of this run, and of the agents that work for it, that waits for someone: calls for an approval, questions for
   * an answer, services for their result, models that give no answer. With `atLeast` it waits until there is so much.
   * @throws HoldfastError `RunEnded` if the run ended with less, `RunNotFound`, `NoWorker`; the reason of `signal`
   */
  async waiting<const Least extends AtLeast = number>(options: WaitingOptions<Least> = {}): Promise<Waiting<Least>> {
    // As many as `atLeast` says.
    return (await this.#call(() => waitingOf(this.client, this.id, { ...this.options, ...options }))) as Waiting<Least>;
  }

  /**
   * Why nothing happens in the run, such as a model that gives no answer, also that of an agent which works for it.
   * `undefined` if no reason is known: it works, waits for a person, or has ended.
   * @throws HoldfastError `RunNotFound`, `NoServer`
   */
  problem(): Promise<string | undefined> {
    return this.#call(() => problemOf(this.client, this.id));
  }

  /** The full result of a tool call, even if the model saw only the beginning. `undefined` if there is none. */
  toolResult(toolUseId: string): Promise<ContentPart[] | undefined> {
    return this.#call(() => wholeResult(this.client, this.id, toolUseId));
  }

  /**
   * Lets a call run. With `remember` the decision also holds for later calls: of this run, or of all runs of the agent
   * with the same owner.
   * @throws HoldfastError `ApprovalNotFound`, `ApprovalDecided`, `ApprovalExpired`, `ApprovalMismatch`, `NotADecider`,
   * `InvalidDecision`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  approve(ask: ApprovalRef, decision: Decider & { remember?: Remember; comment?: string }): Promise<ApprovalOutcome> {
    return this.#decide(ask, { ...decision, decision: 'approve' });
  }

  /**
   * Keeps a call from running. The model is told who denied it and why.
   * @throws HoldfastError as {@link approve}
   */
  deny(ask: ApprovalRef, decision: Decider & { remember?: Remember; reason?: string }): Promise<ApprovalOutcome> {
    return this.#decide(ask, { ...decision, decision: 'deny' });
  }

  /**
   * Lets a call run with other arguments, which are first checked against the tool's schema. With `remember` the
   * decision holds for later calls that match the new arguments.
   * @throws HoldfastError as {@link approve}, and `InvalidEdit`, after which the call still waits
   */
  edit(
    ask: ApprovalRef,
    decision: Decider & { input: JsonObject; remember?: Remember; comment?: string },
  ): Promise<ApprovalOutcome> {
    return this.#decide(ask, { ...decision, decision: 'edit' });
  }

  /** A call of an agent that works for this run is decided in that agent's run. */
  #decide({ id = this.id, toolUseId, hash }: ApprovalRef, decision: DecisionBody): Promise<ApprovalOutcome> {
    const whole = { ...decision, toolUseId, ...defined({ hash }) } as Decision;
    return sendDecision(this.client, id, whole, this.options);
  }

  /**
   * Asks the run to stop: the model call in progress is aborted, and its partial answer is kept. It does not wait for
   * the end. On a run that has ended it does nothing.
   * @throws HoldfastError `RunNotFound`
   */
  async cancel(): Promise<void> {
    await this.#call(() => this.workflow.cancel());
  }

  /**
   * Asks the run to go on in a new history as soon as it can: at its next turn, or while it only waits. It then runs on the
   * current version of its workers. Long histories are continued without being asked. It does not wait for that.
   * @throws HoldfastError `RunEnded`, `RunNotFound`
   */
  async continueAsNew(): Promise<void> {
    try {
      await this.workflow.signal(COMMAND.continueAsNew);
    } catch (error) {
      throw await refusal(this.client, this.id, error);
    }
  }

  #query<Answer>(name: string, options: { argument?: unknown; signal?: AbortSignal } = {}): Promise<Answer> {
    const { workerTimeout } = this.options;
    return patientQuery(this.client, this.id, name, {
      ...options,
      ...defined({ workerTimeout }),
    });
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw orHoldfastError(error, this.id);
    }
  }
}
