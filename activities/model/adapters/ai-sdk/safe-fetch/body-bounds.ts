import type { Transformer } from 'node:stream/web';
import { AnswerFault } from '../../../failures/answer-fault';
import { PIECE_BYTES, sizeText, tooLargePiece } from '../../openai/body';
import { EventExtent } from './event-extent';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LETTER_D = 0x64;

const EMPTY_LINE = Buffer.from('\n\n');
const NOTHING = new Uint8Array();

/** Bytes that a package's parser gets at once if lines end with `\r`: for each line it searches all of them. */
const SLICE = 4096;

/**
 * How a body is divided into the pieces that its reader parses at once: events, up to an empty line; lines; or not at
 * all. A body of binary frames is only counted.
 */
type Division = 'events' | 'lines' | 'none' | 'frames';

function divisionOf(contentType: string): Division {
  if (contentType.includes('event-stream')) return 'events';
  if (/ndjson|jsonl|json-seq/.test(contentType)) return 'lines';
  if (contentType.includes('json')) return 'none';
  // Amazon's event stream. Whatever else it is called, a package reads the body of an answer as events.
  return contentType.includes('eventstream') ? 'frames' : 'events';
}

interface Limits {
  /** Bytes of the whole body. */
  max: number;
  contentType: string;
  /** Values that one piece may have in addition to the limit. */
  moreValues(): number;
  /** Called for all bytes that arrive. */
  onBytes(bytes: Uint8Array): void;
}

/** Counts the bytes of a body, and what one piece of it is made of. */
export class BodyBounds implements Transformer<Uint8Array, Uint8Array> {
  readonly #division: Division;
  readonly #extent: EventExtent;
  #size = 0;
  /** Bytes of the piece that has not ended. */
  #kept = 0;
  #lineLength = 0;
  /** The piece has a line that is more than a comment. */
  #hasData = false;
  #endedWithReturn = false;

  constructor(private readonly limits: Limits) {
    this.#division = divisionOf(limits.contentType);
    this.#extent = new EventExtent(limits.moreValues);
  }

  /** @throws AnswerFault past a limit */
  transform(bytes: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void {
    const { max, onBytes } = this.limits;
    onBytes(bytes);
    this.#size += bytes.length;
    if (this.#size > max) {
      throw new AnswerFault('large', `over ${sizeText(max)}, the limit \`maxBytes\` of \`safeFetch\``);
    }
    if (this.#division !== 'frames') this.#count(bytes);
    const size = bytes.includes(CARRIAGE_RETURN) ? SLICE : bytes.length;
    for (let at = 0; at < bytes.length; at += size) out.enqueue(bytes.subarray(at, at + size));
  }

  flush(out: TransformStreamDefaultController<Uint8Array>): void {
    const { contentType, onBytes } = this.limits;
    onBytes(NOTHING);
    // Some servers leave out the empty line after their last event, and a parser waits for what follows a `\r`.
    if (contentType.includes('event-stream') && (this.#hasData || this.#endedWithReturn)) out.enqueue(EMPTY_LINE);
  }

  #count(bytes: Uint8Array): void {
    // Not for…of: it takes four times as long.
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      this.#kept++;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#endLine(byte);
      else {
        this.#endedWithReturn = false;
        if (this.#lineLength++ === 0 && byte === LETTER_D) this.#hasData = true;
        const excess = this.#extent.add(byte);
        if (excess !== undefined) throw this.#unreadable(excess);
      }
    }
    if (this.#kept > PIECE_BYTES) throw tooLargePiece();
  }

  #endLine(byte: number): void {
    const isSecondHalf = byte === LINE_FEED && this.#endedWithReturn;
    this.#endedWithReturn = byte === CARRIAGE_RETURN;
    if (isSecondHalf || this.#division === 'none') return;
    this.#extent.endLine();
    const isEmpty = this.#lineLength === 0;
    this.#lineLength = 0;
    // A comment does not end an event: endless comments are one piece.
    if (this.#division === 'lines' || (isEmpty && this.#hasData)) this.#endPiece();
  }

  #endPiece(): void {
    if (this.#kept > PIECE_BYTES) throw tooLargePiece();
    this.#kept = 0;
    this.#hasData = false;
    this.#extent.reset();
  }

  #unreadable(excess: string): AnswerFault {
    const what = this.#division === 'none' ? 'it answers with JSON' : 'one event of its stream is';
    return new AnswerFault('unreadable', `${what} ${excess}`);
  }
}
