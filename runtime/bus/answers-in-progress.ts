import { firstOf, type StreamDelta } from '../../agent/protocol/stream';

/** Characters of an answer that are kept: more than models write. New readers of a longer one get it as a fact. */
const MAX_SIZE = 500_000;
/** What a delta takes besides its text, in characters. */
const OVERHEAD = 200;
/** Tools of a run whose progress is kept. */
const MAX_TOOLS = 100;
/** Milliseconds between two looks for runs that have become silent. */
const LOOK = 60_000;
/** Looks after which a silent run is forgotten: its call has ended without a word, or its worker is gone. */
const SILENT_LOOKS = 5;

interface Answer {
  callId: string;
  attempt: number;
  /** The number of the next delta. */
  next: number;
  size: number;
  pieces: StreamDelta[];
}

interface Heard {
  answer: Answer | undefined;
  /** The last progress of each tool of the turn, by tool call. */
  readonly progress: Map<string, StreamDelta>;
  /** Looks since its last delta. */
  silent: number;
}

/**
 * The answers that models are writing, one per run, for readers that join in the middle: from the first delta of the call
 * or its last `stream.clear`, until `stream.complete`. Deltas of the same kind are joined, so that an answer takes little
 * more memory than its text. An answer with a gap is not kept.
 */
export class AnswersInProgress {
  readonly #runs = new Map<string, Heard>();
  #looking: NodeJS.Timeout | undefined;

  /** Takes a delta that is published. */
  note(delta: StreamDelta): void {
    const known = this.#runs.get(delta.id);
    const heard = known ?? { answer: undefined, progress: new Map(), silent: 0 };
    heard.silent = 0;
    if (delta.type === 'tool.progress') noteProgress(heard.progress, delta);
    else noteAnswer(heard, delta);
    if (heard.answer === undefined && heard.progress.size === 0) this.forget(delta.id);
    else if (known === undefined) this.#keep(delta.id, heard);
  }

  /** What a new reader of the run has missed. */
  of(id: string): StreamDelta[] {
    const heard = this.#runs.get(id);
    if (heard === undefined) return [];
    const said = heard.answer?.pieces.map((piece) => ({ ...piece })) ?? [];
    return [...said, ...heard.progress.values()];
  }

  /** Forgets a run. */
  forget(id: string): void {
    if (!this.#runs.delete(id) || this.#runs.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #keep(id: string, heard: Heard): void {
    this.#runs.set(id, heard);
    this.#looking ??= setInterval(() => {
      for (const [silent, run] of this.#runs) if (++run.silent >= SILENT_LOOKS) this.forget(silent);
    }, LOOK).unref();
  }
}

function noteProgress(progress: Heard['progress'], delta: StreamDelta): void {
  progress.delete(delta.callId);
  progress.set(delta.callId, delta);
  const [oldest] = progress.keys();
  if (progress.size > MAX_TOOLS && oldest !== undefined) progress.delete(oldest);
}

function noteAnswer(heard: Heard, delta: StreamDelta): void {
  const { answer } = heard;
  const { callId, attempt } = delta;
  // A late delta of an attempt that was given up.
  if (answer?.callId === callId && attempt < answer.attempt) return;
  if (answer?.callId === callId && attempt === answer.attempt) {
    if (delta.seq < answer.next) return;
    const fits = firstOf(delta) === answer.next || delta.type === 'stream.clear';
    heard.answer = fits ? add(answer, delta) : undefined;
  } else if (firstOf(delta) === 0) {
    for (const [tool, { turn }] of heard.progress) if (turn < delta.turn) heard.progress.delete(tool);
    heard.answer = add({ callId, attempt, next: 0, size: 0, pieces: [] }, delta);
  }
  // Else it has no beginning here: it may be a straggler, which must not replace the answer in progress.
}

/** Adds a delta to an answer; `undefined` if it is complete, or too long to be kept. */
function add(answer: Answer, delta: StreamDelta): Answer | undefined {
  if (delta.type === 'stream.complete') return undefined;
  answer.next = delta.seq + 1;
  if (delta.type === 'stream.clear') {
    // It stands for everything that it withdraws.
    answer.size = OVERHEAD;
    answer.pieces = [{ ...delta, from: 0 }];
    return answer;
  }
  const last = answer.pieces.at(-1);
  const isJoined = last !== undefined && join(last, delta);
  if (!isJoined) answer.pieces.push({ ...delta });
  answer.size += lengthOf(delta) + (isJoined ? 0 : OVERHEAD);
  return answer.size > MAX_SIZE ? undefined : answer;
}

/** Adds a delta to the piece before it, unless they say different things. Models write many: nothing is copied. */
function join(piece: StreamDelta, delta: StreamDelta): boolean {
  if (delta.type === 'stream.text' || delta.type === 'stream.reasoning') {
    if (piece.type !== delta.type) return false;
    piece.text += delta.text;
  } else {
    if (delta.type !== 'stream.tool' || piece.type !== delta.type || piece.index !== delta.index) return false;
    piece.name = delta.name;
    piece.arguments += delta.arguments;
  }
  piece.from = firstOf(piece);
  piece.seq = delta.seq;
  return true;
}

/** What a delta that waits takes, in characters. */
export function sizeOf(delta: StreamDelta): number {
  return lengthOf(delta) + OVERHEAD;
}

function lengthOf(delta: StreamDelta): number {
  if (delta.type === 'stream.tool') return delta.arguments.length;
  return 'text' in delta ? delta.text.length : 0;
}
