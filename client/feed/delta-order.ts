import { answeredTurn, type Fact } from '../../agent/protocol/facts/fact';
import { firstOf, type StreamDelta } from '../../agent/protocol/stream';
import { DeltaQueue } from './delta-queue';

interface Attempt {
  turn: number;
  callId: string;
  attempt: number;
  /** The number of the next delta. */
  next: number;
  /** It has produced output that was not withdrawn. */
  said: boolean;
  /** A delta is missing. */
  broken: boolean;
}

/**
 * Deltas may be lost, late, or from an abandoned attempt. A reader gets those that fit together: of each attempt only
 * its beginning, up to the first gap, and none once its message is known.
 */
export class DeltaOrder {
  #current: Attempt | undefined;
  /** Model calls of this turn that another call has replaced. */
  readonly #replaced = new Set<string>();
  /** The last turn whose answer is known. */
  #answered = 0;
  /** Tool calls of this turn that have their result. */
  readonly #settled = new Set<string>();
  #turn = 0;
  /** Deltas that wait for facts before their call. */
  readonly #early = new DeltaQueue();
  /** Number of the last fact that the reader has. */
  #seen: number;

  constructor(after = 0) {
    this.#seen = after;
  }

  /** Records a fact that the reader gets. The deltas that it gets after it are returned. */
  note(fact: Fact): StreamDelta[] {
    switch (fact.type) {
      case 'loop.iteration':
        this.#turn = fact.turn;
        this.#settled.clear();
        break;
      case 'tool.result':
      case 'tool.error':
        this.#settled.add(fact.toolUseId);
    }
    this.#answered = answeredTurn(fact) ?? this.#answered;
    this.#seen = Math.max(this.#seen, fact.seq);
    return this.#early.takeAll().flatMap((delta) => this.take(delta));
  }

  /** Deltas wait for facts. */
  get waits(): boolean {
    return this.#early.length > 0;
  }

  /** The deltas that wait for facts, which are given without them. */
  release(): StreamDelta[] {
    const early = this.#early.takeAll();
    this.#seen = early.reduce((seen, { after = 0 }) => Math.max(seen, after), this.#seen);
    return early.flatMap((delta) => this.take(delta));
  }

  /** Records the last turn whose answer is known, by facts that the reader does not get. */
  begin(answered: number): void {
    this.#answered = Math.max(this.#answered, answered);
  }

  /**
   * The deltas that the reader gets for a delta: the delta itself if it fits, after a `stream.clear` if that was lost. One
   * that comes before a fact which precedes its call waits for it.
   */
  take(delta: StreamDelta): StreamDelta[] {
    if ((delta.after ?? 0) > this.#seen) {
      this.#early.push(delta);
      return [];
    }
    if (delta.type === 'tool.progress') {
      return delta.turn < this.#turn || this.#settled.has(delta.toolUseId) ? [] : [delta];
    }
    if (delta.turn <= this.#answered || this.#isOver(delta)) return [];
    const before = this.#current;
    const current = this.#attemptOf(delta);
    if (delta.seq < current.next) return [];
    const isClear = delta.type === 'stream.clear';
    const withdraws = before !== current && before?.said && before.turn === delta.turn && !isClear;
    const first = withdraws ? [cleared(delta)] : [];
    // What withdraws everything fits behind anything. Of text that is partly known, the rest cannot be told apart.
    current.broken = !isClear && (current.broken || firstOf(delta) !== current.next);
    if (current.broken) return first;
    current.next = delta.seq + 1;
    current.said = !isClear;
    return [...first, delta];
  }

  #isOver({ turn, callId, attempt }: StreamDelta): boolean {
    const current = this.#current;
    if (current === undefined || turn > current.turn) return false;
    if (turn < current.turn || this.#replaced.has(callId)) return true;
    return callId === current.callId && attempt < current.attempt;
  }

  #attemptOf(delta: StreamDelta): Attempt {
    const { turn, callId, attempt } = delta;
    const current = this.#current;
    if (current !== undefined && current.callId === callId && current.attempt === attempt) return current;
    if (turn !== current?.turn) this.#replaced.clear();
    else if (callId !== current.callId) this.#replaced.add(current.callId);
    this.#current = { turn, callId, attempt, next: 0, said: false, broken: false };
    return this.#current;
  }
}

function cleared({ id, turn, callId, attempt, seq }: StreamDelta): StreamDelta {
  return { type: 'stream.clear', id, turn, callId, attempt, seq };
}
