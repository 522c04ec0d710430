import type { Remember } from '../../agent/approvals/approval';
import type { BudgetLimits } from '../../agent/budget/amounts';
import type { BudgetAmounts } from '../../agent/budget/budget';
import type { MessageReceipt, Steer } from '../../agent/conversation/messages';
import type { QuestionOutcome } from '../../agent/conversation/questions';
import type { ContentPart } from '../../agent/model/message';
import type { CompactReceipt } from '../../agent/protocol/calls/compaction';
import type { ModelSwitch } from '../../agent/protocol/commands/model-switch';
import type { Undone } from '../../agent/protocol/commands/undo';
import type { ApprovalOutcome } from '../../agent/state/batch';
import type { BudgetScope } from '../../agent/state/budget-state';
import { defined } from '../../agent/values/defined';
import type { Json, JsonObject } from '../../agent/values/json';
import type { QuestionRef } from '../runs/command-handle';
import type { ApprovalRef } from '../runs/run-handle';
import type { RemoteApi, RemoteRequest } from './api';

/** The commands to one run behind a served address. Who acts is the user of the token. */
export abstract class RemoteCommands {
  /** Made by `RemoteClient`. */
  constructor(
    protected readonly api: RemoteApi,
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
