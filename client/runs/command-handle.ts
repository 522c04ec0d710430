import type { Client } from '@temporalio/client';
import type { BudgetLimits } from '../../agent/budget/amounts';
import type { BudgetAmounts } from '../../agent/budget/budget';
import type { MessageReceipt, SentMessage, Steer } from '../../agent/conversation/messages';
import type { PendingQuestion, QuestionOutcome } from '../../agent/conversation/questions';
import type { ContentPart } from '../../agent/model/message';
import type { CompactReceipt, CompactRequest } from '../../agent/protocol/calls/compaction';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { ModelSwitch } from '../../agent/protocol/commands/model-switch';
import type { UndoAccepted, Undone, UndoRequest } from '../../agent/protocol/commands/undo';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamBus } from '../../agent/protocol/stream';
import type { BudgetScope } from '../../agent/state/budget-state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { EventsOptions } from '../feed/merge-deltas';
import { tell } from '../requests/tell';
import { undoneOf } from './undone-of';

/** Options of a message. */
export interface MessageOptions {
  /**
   * An id of your choice. A message that is sent again with the same id is accepted once. Default: a new id per call.
   */
  id?: string;
  /** Who sends it. */
  by?: string;
}

/** The question that an answer is for: one from `questions`, or its id. */
export type QuestionRef = string | (Pick<PendingQuestion, 'questionId'> & Partial<Pick<PendingQuestion, 'id'>>);

/** What a handle reads a run with: the options of its client. */
export interface HandleOptions {
  /** The source of deltas. Without it, `events` yields only facts. */
  bus?: StreamBus;
  /** Milliseconds that queries wait while no worker answers. Default 60,000. */
  workerTimeout?: number;
  /** Those who follow the run, and have been answered before, wait for workers without end. Default: true without a `workerTimeout`. */
  followsOn?: boolean;
  /** Id of the one command that is sent with this handle: a second one with the same id gets the answer of the first. */
  commandId?: string;
}

/** How a handle reads, for what reads other runs for it. */
export let readingOf: (handle: CommandHandle) => Pick<HandleOptions, 'workerTimeout' | 'followsOn'>;

/** The commands that people send to a run. Each is accepted once, or refused with the reason. */
export abstract class CommandHandle {
  static {
    readingOf = ({ options: { workerTimeout, followsOn } }) => defined({ workerTimeout, followsOn });
  }

  constructor(
    /** The Temporal client that it uses. */
    readonly client: Client,
    /** The run's id, which is the workflow id. */
    readonly id: string,
    protected readonly options: HandleOptions = {},
  ) {}

  protected get workerTimeout(): number | undefined {
    return this.options.workerTimeout;
  }

  abstract facts(options?: EventsOptions): AsyncGenerator<Fact, void, undefined>;

  /**
   * Sends a message. In a conversation it starts an exchange, after those that already wait. In a task the model reads
   * it at its next call. It does not wait for the answer: `answerTo` does.
   * @throws HoldfastError `InvalidMessage`, `MessageTooLarge`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  send(message: string | ContentPart[], { id, by }: MessageOptions = {}): Promise<MessageReceipt> {
    return this.tell<MessageReceipt>(COMMAND.send, sentMessage(message, { id, by }), id);
  }

  /**
   * Sends a message during an exchange. The model reads it at its next call. With `when: 'now'` it interrupts a model
   * call in progress, and open questions are withdrawn. Without an exchange in progress it is like {@link send}.
   * @throws HoldfastError as {@link send}
   */
  steer(
    message: string | ContentPart[],
    { id, by, when }: MessageOptions & Pick<Steer, 'when'> = {},
  ): Promise<MessageReceipt> {
    const said: Steer = { ...sentMessage(message, { id, by }), ...defined({ when }) };
    return this.tell<MessageReceipt>(COMMAND.steer, said, id);
  }

  /**
   * Answers a question: with a text, or with a value that fits its schema.
   * @throws HoldfastError `QuestionNotFound`, `QuestionClosed`, `QuestionExpired`, `InvalidReply`, after which the
   * question still waits, `InvalidMessage`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  answer(question: QuestionRef, answer: Json, { by }: { by?: string } = {}): Promise<Omit<QuestionOutcome, 'data'>> {
    return this.#reply(question, { answer, ...defined({ by }) });
  }

  /**
   * Declines to answer a question. The agent is told, with the reason.
   * @throws HoldfastError as {@link answer}
   */
  decline(
    question: QuestionRef,
    { by, reason }: { by?: string; reason?: string } = {},
  ): Promise<Omit<QuestionOutcome, 'data'>> {
    const why = defined({ reason });
    return this.#reply(question, { decline: true, ...why, ...defined({ by }) });
  }

  /** A question of an agent that works for this run is answered in that agent's run. */
  #reply(question: QuestionRef, reply: object): Promise<Omit<QuestionOutcome, 'data'>> {
    const { questionId, id = this.id } = typeof question === 'string' ? { questionId: question } : question;
    return tell(this.client, id, COMMAND.answer, {
      payload: { questionId, ...reply },
      workerTimeout: this.workerTimeout,
      updateId: this.options.commandId,
    });
  }

  /**
   * Calls the model again at once, if the run waits because it does not answer.
   * @throws HoldfastError `NothingToRetry`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  retry({ by }: { by?: string } = {}): Promise<void> {
    return this.tell(COMMAND.retry, defined({ by }));
  }

  /**
   * Has the run use another model: one of its agent's chain, or any alias that its worker has. A wait for a model that
   * does not answer ends at once. A call in progress is finished first. The choice holds for the rest of the run; if the
   * model fails for good, the next one of the chain takes over.
   * @throws HoldfastError `UnknownModel` with the aliases that the worker has, `InvalidMessage`, `RunEnded`,
   * `RunNotFound`, `NoWorker`
   */
  switchModel(alias: string, { by }: { by?: string } = {}): Promise<ModelSwitch> {
    return this.tell<ModelSwitch>(COMMAND.switchModel, { model: alias, ...defined({ by }) });
  }

  /**
   * Replaces old messages in what the model is sent, in the way that the agent is set to, else by a summary. The
   * transcript stays whole. A conversation that waits for a message does it at once, any other run before its next model
   * call. It does not wait for that: the fact `context.compacted` tells of it, or `context.summary.failed`.
   * @param options.keep number of the newest messages that stay; default: the agent's `context.keep`, else 10
   * @throws HoldfastError `NothingToCompact`, `InvalidMessage`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  compact({ keep, by }: CompactRequest = {}): Promise<CompactReceipt> {
    return this.tell<CompactReceipt>(COMMAND.compact, defined({ keep, by }));
  }

  /**
   * Raises limits of the run's budget, or with `scope: 'exchange'` those of its exchanges. Takes the new limits, not what
   * is added. Resolves with all limits in force, times in milliseconds. A run that works for another one has a part of
   * that one's budget, which is raised there.
   * @throws HoldfastError `BudgetNotRaised`, `InvalidMessage`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  raiseBudget(limits: BudgetAmounts, { by, scope }: { by?: string; scope?: BudgetScope } = {}): Promise<BudgetLimits> {
    return this.tell<BudgetLimits>(COMMAND.raiseBudget, { ...limits, ...defined({ by, scope }) });
  }

  /**
   * Undoes effects of tools: the given number of the last ones, the newest first, or that of one call. If one of them
   * cannot be undone, none is. The model is told at its next call. It resolves when all are undone, or an inverse has
   * failed.
   * @throws HoldfastError `NothingToUndo`, `NotUndoable`, `AlreadyUndone`, `InvalidMessage`, `RunEnded`, `RunNotFound`,
   * `NoWorker`
   */
  async undo(
    what: number | { toolUseId: string } = 1,
    { by, signal }: { by?: string; signal?: AbortSignal } = {},
  ): Promise<Undone> {
    const request: UndoRequest = typeof what === 'number' ? { count: what } : { toolUseId: what.toolUseId };
    const payload = { ...request, ...defined({ by }) };
    const accepted = await this.tell<UndoAccepted>(COMMAND.undo, payload);
    const facts = this.facts({ after: accepted.after, ...defined({ signal }) });
    return undoneOf(this.id, accepted, facts, signal);
  }

  /**
   * Gives the run a title, which lists show.
   * @throws HoldfastError `InvalidMessage`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  rename(title: string, { by }: { by?: string } = {}): Promise<void> {
    return this.tell(COMMAND.rename, { title, ...defined({ by }) });
  }

  protected tell<Answer>(name: string, payload: unknown, updateId = this.options.commandId): Promise<Answer> {
    return tell<Answer>(this.client, this.id, name, { payload, workerTimeout: this.workerTimeout, updateId });
  }
}

/** A message as updates and signals carry it. */
export function sentMessage(
  message: string | ContentPart[],
  { id, by }: { id?: string | undefined; by?: string | undefined },
): SentMessage {
  return {
    ...(typeof message === 'string' ? { text: message } : { parts: message }),
    ...defined({ id, by }),
  };
}
