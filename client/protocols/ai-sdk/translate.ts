import type { Message, ToolUsePart } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { type AboutAgent, isOutcome } from './below/agent-below';
import { AgentsBelow, type Seen } from './below/agents-below';
import { CallParts, type WaitsFor } from './calls/calls';
import type { ToolNames } from './calls/tool-names';
import type { FinishMetadata, UiChunk } from './chunks';
import { Notices, status } from './notices';
import { LiveAnswer } from './said/live-answer';

/** Which exchange is translated, and what is known about its run. */
export interface ExchangeOf {
  runId: string;
  agent: string;
  exchange: number;
  names: ToolNames;
  /** What the reader has: it is not sent again. Default: nothing. */
  seen?: Seen | undefined;
}

/**
 * The facts and deltas of one exchange as the chunks of one message of the assistant. It is pure: it reads no clock and
 * no run.
 */
export class Translation {
  readonly calls: CallParts;
  readonly #agents: AgentsBelow;
  readonly #seen: Seen;
  readonly #notices = new Notices();
  readonly #live: LiveAnswer;
  #isStepOpen = false;
  /** The model has been called: what people say from now on steers it. */
  #hasBegun = false;
  #isAway = false;
  /** The turn whose answer is sent back to the model. Its message follows. */
  #sentBack: number | undefined;
  /** Text of the last answer. */
  #answer: string | undefined;
  /** Number of the last fact. */
  seq = 0;
  /** The exchange has ended. */
  isOver = false;

  constructor(private readonly of: ExchangeOf) {
    this.calls = new CallParts(of.names);
    this.#live = new LiveAnswer(this.calls);
    this.#seen = of.seen ?? { facts: 0, below: {} };
    this.#agents = new AgentsBelow(this.#seen, () => this.#openStep());
  }

  start(startedAt?: number): UiChunk {
    const { runId, agent, exchange } = this.of;
    return {
      type: 'start',
      messageId: `x${exchange}`,
      messageMetadata: { runId, agent, exchange, ...defined({ startedAt }) },
    };
  }

  /** The message stands still until people have done something. */
  pause(waiting: FinishMetadata['waiting']): UiChunk[] {
    return [...this.#endStep(), this.#finish('tool-calls', { waiting })];
  }

  /** There are deltas whose turn no fact has told of yet. */
  get isBehind(): boolean {
    return this.#live.isBehind;
  }

  delta(delta: StreamDelta): UiChunk[] {
    if (delta.type === 'tool.progress') {
      const { toolUseId: toolCallId, progress, total, message } = delta;
      const data = { toolCallId, progress, ...defined({ total, message }) };
      return [{ type: 'data-progress', id: toolCallId, data }];
    }
    return this.#live.add(delta);
  }

  fact(fact: Fact): UiChunk[] {
    this.seq = fact.seq;
    const ended = () => (isOutcome(fact) ? this.#agents.close(fact.toolUseId) : []);
    const here = this.#live.around(fact, () => [...ended(), ...this.#fact(fact)]);
    const chunks = [...here, ...this.#notices.of(fact)];
    return fact.seq > this.#seen.facts ? chunks : [];
  }

  /** An agent works for the run, by the call at a path. */
  join(path: string, about: AboutAgent): void {
    this.#agents.join(path, about);
  }

  /** A fact of an agent that works for the run. */
  below(path: string, fact: Fact): UiChunk[] {
    return this.#agents.take(path, fact);
  }

  /** The reader has open calls of an agent that has ended with this fact. What became of them comes before it. */
  misses(fact: Fact): boolean {
    return isOutcome(fact) && fact.seq > this.#seen.facts && this.#agents.isOpen(fact.toolUseId);
  }

  /** Who is waited for, by calls, if nothing else is going on. */
  onlyPeople(): ReadonlyMap<string, WaitsFor> | undefined {
    return this.calls.onlyPeople(this.#agents.calls);
  }

  #fact(fact: Fact): UiChunk[] {
    switch (fact.type) {
      case 'loop.iteration':
        return this.#begin(fact.turn);
      case 'message':
        return this.#message(fact.turn, fact.message);
      case 'text.withdrawn':
        return this.#live.settle('', '');
      case 'model.waiting':
        this.#isAway = true;
        return [];
      case 'answer.nudged':
        this.#sentBack = fact.turn;
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
      if (!this.#hasBegun || said.length === 0 || !this.#live.takeSteer()) return [];
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
      ...this.#live.reach(turn, () => this.#ownStep()),
      ...this.#live.settle(this.#answer, textOf('reasoning')),
      ...(this.#sentBack === turn ? this.#live.withdraw() : []),
      ...this.calls.answered(turn, calls),
    ];
  }

  /** A text that no model has said. */
  #say(text: string): UiChunk[] {
    this.#answer = text;
    const id = `t${this.#live.turn}.fixed`;
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: text },
      { type: 'text-end', id },
    ];
  }

  /** Every model call is a step. */
  #begin(number: number): UiChunk[] {
    this.#hasBegun = true;
    return this.#live.begin(number, () => this.#ownStep());
  }

  #ownStep(): UiChunk[] {
    this.#agents.leaveStep();
    return this.#openStep();
  }

  #openStep(): UiChunk[] {
    const ended = this.#endStep();
    this.calls.beginStep();
    this.#isStepOpen = true;
    return [...ended, { type: 'start-step' }];
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
      ...this.#live.settle('', ''),
      ...this.#agents.close(),
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
    const below = defined({ below: this.#agents.shown });
    return { type: 'finish', finishReason, messageMetadata: { facts: this.seq, ...below, ...about } };
  }
}

const NO_WAITS = { approvals: 0, questions: 0, calls: 0 };
