import type { Message, ToolUsePart } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { firstOf, type StreamDelta } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { CallParts } from './calls';
import type { FinishMetadata, UiChunk } from './chunks';
import { Notices, status } from './notices';
import { Spoken } from './spoken';
import { Steers } from './steers';
import type { ToolNames } from './tool-names';

/** Which exchange is translated, and what is known about its run. */
export interface ExchangeOf {
  runId: string;
  agent: string;
  exchange: number;
  names: ToolNames;
}

/**
 * The facts and deltas of one exchange as the chunks of one message of the assistant. It is pure: it reads no clock and
 * no run.
 */
export class Translation {
  readonly calls: CallParts;
  readonly #notices = new Notices();
  readonly #steers = new Steers();
  #turn: { number: number; text: Spoken; reasoning: Spoken; isSettled: boolean } | undefined;
  /** The attempt that speaks. Where its beginning is lost, its pieces fit nowhere: its answer comes as a fact. */
  #attempt: { name: string; beginsAt: number; isWhole?: boolean } = { name: '', beginsAt: 0 };
  #isStepOpen = false;
  /** The model has been called: what people say from now on steers it. */
  #hasBegun = false;
  #isAway = false;
  /** Deltas that came before what their turn has begun with, and so before what the turn before it brought. */
  #early: StreamDelta[] = [];
  /** Text of the last answer. */
  #answer: string | undefined;
  /** Number of the last fact. */
  seq = 0;
  /** The exchange has ended. */
  isOver = false;

  constructor(private readonly of: ExchangeOf) {
    this.calls = new CallParts(of.names);
  }

  start(startedAt?: number): UiChunk {
    const { runId, agent, exchange } = this.of;
    const messageMetadata = { runId, agent, exchange, ...defined({ startedAt }) };
    return { type: 'start', messageId: `x${exchange}`, messageMetadata };
  }

  /** The message stands still until people have done something. */
  pause(waiting: FinishMetadata['waiting']): UiChunk[] {
    return [...this.#endStep(), this.#finish('tool-calls', { waiting })];
  }

  /** There are deltas whose turn no fact has told of yet. */
  get isBehind(): boolean {
    return this.#early.length > 0;
  }

  delta(delta: StreamDelta): UiChunk[] {
    if (delta.type === 'tool.progress') {
      const { toolUseId: toolCallId, progress, total, message } = delta;
      const about = { toolCallId, progress, ...defined({ total, message }) };
      return [{ type: 'data-progress', id: toolCallId, data: about }];
    }
    const turn = this.#turn;
    if (turn === undefined || delta.turn > turn.number || (delta.turn === turn.number && this.#steers.areMissing)) {
      this.#early.push(delta);
      return [];
    }
    if (delta.turn < turn.number || turn.isSettled || !this.#isWhole(delta)) return [];
    switch (delta.type) {
      case 'stream.text':
        return turn.text.add(delta.text);
      case 'stream.reasoning':
        return turn.reasoning.add(delta.text);
      case 'stream.tool':
        return this.calls.streamed(`t${delta.turn}.${delta.index + 1}`, delta.name, delta.arguments);
      case 'stream.clear':
        turn.text.clear();
        turn.reasoning.clear();
        return this.calls.startOver(delta.turn);
      case 'stream.complete':
        return [];
    }
  }

  #isWhole(delta: StreamDelta): boolean {
    const name = `${delta.callId} ${delta.attempt}`;
    const isNew = name !== this.#attempt.name;
    if (delta.type === 'stream.clear') this.#attempt = { name, beginsAt: delta.seq + 1 };
    else if (isNew) this.#attempt = { name, beginsAt: 0 };
    const attempt = this.#attempt;
    if (delta.type === 'stream.clear') return true;
    attempt.isWhole ??= [0, attempt.beginsAt].includes(firstOf(delta));
    return attempt.isWhole;
  }

  fact(fact: Fact): UiChunk[] {
    this.seq = fact.seq;
    const isSaid = fact.type === 'message' && fact.message.role === 'user';
    // What people said comes first in a turn: after any other fact, nothing of it is to be expected.
    if (!isSaid) this.#steers.answered();
    const before = isSaid ? [] : this.#release();
    return [...before, ...this.#fact(fact), ...(isSaid ? this.#release() : []), ...this.#notices.of(fact)];
  }

  #fact(fact: Fact): UiChunk[] {
    switch (fact.type) {
      case 'loop.iteration':
        return this.#begin(fact.turn);
      case 'message.received':
        this.#steers.received(fact);
        return [];
      case 'message':
        return this.#message(fact.turn, fact.message);
      case 'text.withdrawn':
        return this.#settleTurn('', '');
      case 'model.waiting':
        this.#isAway = true;
        return [];
      case 'answer.replaced':
        return this.#say(fact.text);
      case 'exchange.end':
        return this.#end(fact.reason, fact.time, fact.data, fact.error);
      case 'loop.end':
        return this.#end(fact.reason, fact.time, undefined, fact.error);
      default:
        return this.calls.take(fact);
    }
  }

  #message(turn: number, { role, parts }: Message): UiChunk[] {
    if (role === 'user') {
      const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      if (!this.#hasBegun || said.length === 0 || !this.#steers.take()) return [];
      return [{ type: 'data-steer', data: { text: said.join('\n') } }];
    }
    const back: UiChunk[] = this.#isAway ? [status(undefined)] : [];
    this.#isAway = false;
    const textOf = (type: 'text' | 'reasoning') =>
      parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
    const calls = parts.filter((part): part is ToolUsePart => part.type === 'tool_use');
    this.#answer = textOf('text');
    return [
      ...back,
      ...this.#step(turn),
      ...this.#settleTurn(this.#answer, textOf('reasoning')),
      ...this.calls.answered(turn, calls),
    ];
  }

  #settleTurn(text: string, reasoning: string): UiChunk[] {
    const turn = this.#turn;
    if (turn === undefined || turn.isSettled) return [];
    turn.isSettled = true;
    return [...turn.reasoning.settle(reasoning), ...turn.text.settle(text)];
  }

  /** A text that no model has said. */
  #say(text: string): UiChunk[] {
    this.#answer = text;
    const id = `t${this.#turn?.number ?? 0}.fixed`;
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: text },
      { type: 'text-end', id },
    ];
  }

  /** Every model call is a step. */
  #begin(number: number): UiChunk[] {
    this.#hasBegun = true;
    this.#steers.begin();
    const step = this.#step(number);
    return [...step, ...this.#release()];
  }

  /** The deltas that wait no longer. */
  #release(): UiChunk[] {
    const early = this.#early;
    this.#early = [];
    return early.flatMap((delta) => this.delta(delta));
  }

  #step(number: number): UiChunk[] {
    if (this.#turn !== undefined && number <= this.#turn.number) return [];
    const before = [...this.#settleLost(), ...this.#endStep()];
    this.#turn = {
      number,
      text: new Spoken('text', number),
      reasoning: new Spoken('reasoning', number),
      isSettled: false,
    };
    this.#isStepOpen = true;
    return [...before, { type: 'start-step' }];
  }

  /** A turn whose answer never came: what was shown of it does not count. */
  #settleLost(): UiChunk[] {
    return this.#settleTurn('', '');
  }

  #endStep(): UiChunk[] {
    if (!this.#isStepOpen) return [];
    this.#isStepOpen = false;
    return [{ type: 'finish-step' }];
  }

  #end(reason: string, finishedAt: number, data: unknown, error?: { type: string; message: string }): UiChunk[] {
    if (this.isOver) return [];
    this.isOver = true;
    const said = typeof data === 'string' && data !== '' && data !== this.#answer ? this.#say(data) : [];
    const output: UiChunk[] =
      typeof data === 'object' && data !== null
        ? [{ type: 'data-output', id: 'output', data: { data } as JsonObject }]
        : [];
    const failure = error === undefined ? {} : { error: { type: error.type, message: error.message } };
    const stopped = reason === 'interrupted' || reason === 'cancelled';
    return [
      ...this.#settleLost(),
      ...this.calls.close(),
      ...said,
      ...output,
      ...(this.#isAway ? [status(undefined)] : []),
      ...this.#endStep(),
      ...(stopped ? [{ type: 'abort' as const, reason }] : []),
      this.#finish(reason === 'failed' ? 'error' : stopped ? 'other' : 'stop', {
        reason,
        finishedAt,
        waiting: NO_WAITS,
        ...failure,
      }),
      // A client reads nothing after an error.
      ...(reason === 'failed' ? [{ type: 'error' as const, errorText: error?.message ?? 'It has failed.' }] : []),
    ];
  }

  #finish(finishReason: 'stop' | 'tool-calls' | 'error' | 'other', about: Omit<FinishMetadata, 'facts'>): UiChunk {
    return { type: 'finish', finishReason, messageMetadata: { facts: this.seq, ...about } };
  }
}

const NO_WAITS = { approvals: 0, questions: 0, calls: 0 };
