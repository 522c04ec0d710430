import { Turns } from '../../../take-turns';
import { AnswerFault } from '../../failures/answer-fault';

const MB = 1024 * 1024;

/**
 * Default limit in bytes for a whole answer. Far less of it is kept, but each token comes in a frame of about 330
 * bytes: this is 200,000 tokens, and the models that write most write 128,000.
 */
export const ANSWER_BYTES = 64 * MB;

/**
 * Bytes that are parsed at once: an event of a stream, or an answer that is not streamed. Four times what is kept of an
 * answer, for its escapes and what is around it; parsing it takes about 50 ms.
 */
export const PIECE_BYTES = 4 * MB;

/** Bytes of an error's body that are read. The sentence that says what is wrong comes long before. */
const ERROR_BYTES = 64 * 1024;
/** Milliseconds for reading them: the status alone says enough. */
const ERROR_TIME = 10_000;

export interface BodyLimits {
  /** Values of JSON that are parsed at once. Default 20,000. */
  values?: number;
  /** Bytes of the whole body. */
  max: number;
  /** Called for every piece that arrives, whatever it contains: a server that sends is not silent. */
  onBytes(): void;
}

/**
 * The body of an answer in the pieces in which it arrives, counted after decompression.
 * @throws AnswerFault past the limit
 */
export async function* piecesOf(response: Response, { max, onBytes }: BodyLimits): AsyncGenerator<Uint8Array> {
  const turns = new Turns();
  let size = 0;
  for await (const bytes of response.body ?? []) {
    onBytes();
    const left = max - size;
    size += bytes.length;
    const began = performance.now();
    yield left < bytes.length ? bytes.subarray(0, left) : bytes;
    await turns.take(began);
    if (size > max) throw new AnswerFault('large', `over ${sizeText(max)}, the limit \`maxAnswerBytes\``);
  }
}

/**
 * The text of a body that is parsed at once.
 * @throws AnswerFault past a limit
 */
export async function wholeText(response: Response, limits: BodyLimits): Promise<string> {
  const body = new Collected();
  for await (const bytes of piecesOf(response, limits)) {
    body.add(bytes);
    if (body.size > PIECE_BYTES) throw tooLargePiece();
  }
  return body.text();
}

export function tooLargePiece(): AnswerFault {
  return new AnswerFault('large', `over ${sizeText(PIECE_BYTES)} in one piece, the most that is read at once`);
}

/** The beginning of the body of an error. If it breaks or stalls, only the rest is lost: the status is known. */
export async function errorText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const collected = new Collected();
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(cancel, ERROR_TIME);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      collected.add(next.value.subarray(0, ERROR_BYTES - collected.size));
      if (collected.size >= ERROR_BYTES) break;
    }
  } catch {
    // The connection broke, or the call was stopped; the code that stopped it knows.
  } finally {
    clearTimeout(timer);
    cancel();
  }
  return collected.text();
}

/**
 * Bytes collected in one buffer that doubles: a list would need an object for each piece, and a piece may be one byte.
 */
class Collected {
  size = 0;
  private bytes = Buffer.alloc(0);

  add(more: Uint8Array): void {
    const needed = this.size + more.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * needed, 1024));
      this.bytes.copy(larger, 0, 0, this.size);
      this.bytes = larger;
    }
    this.bytes.set(more, this.size);
    this.size = needed;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes.subarray(0, this.size));
  }
}

export function sizeText(bytes: number): string {
  return bytes >= MB ? `${Math.round((bytes / MB) * 10) / 10} MB` : `${bytes} bytes`;
}
