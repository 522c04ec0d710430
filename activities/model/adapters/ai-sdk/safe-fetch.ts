import type { Transformer } from 'node:stream/web';
import { sameOriginFetch } from '../../../../runtime/same-origin-fetch';
import { AnswerFault } from '../../failures/answer-fault';
import { ANSWER_BYTES, errorText, PIECE_BYTES, sizeText, tooLargePiece } from '../openai/body';

/** Bounds of {@link safeFetch}. */
export interface SafeFetchOptions {
  /** Maximum bytes of one answer, after decompression. Default 67,108,864 (64 MB), as for `maxAnswerBytes` of a model. */
  maxBytes?: number;
  /**
   * Milliseconds until the first byte of an answer. Default 300,000. The `idleTimeout` of a model, 60 s by default, ends
   * a call earlier, and watches the whole answer.
   */
  timeout?: number;
  /** Makes each single request. Default: the `fetch` of Node. */
  fetch?: typeof fetch;
}

const TIMEOUT = 300_000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Makes a `fetch` for a provider that need not be trusted: `createAnthropic({ fetch: safeFetch() })`. It bounds the bytes
 * of an answer, of one event in it (4 MB) and of an error (64 KB), and the time until the first byte. Redirects are
 * followed within the origin only, five at most: any other would get the key and the conversation.
 */
export function safeFetch(options: SafeFetchOptions = {}): typeof fetch {
  const { maxBytes = ANSWER_BYTES, timeout = TIMEOUT, fetch: send } = options;
  return async (given, init = {}) => {
    const asked = given instanceof Request ? await initOf(given, init) : init;
    // Not AbortSignal.any: one that only its listeners reference may be collected on Node 20 and never fire.
    const stop = new AbortController();
    const abort = () => stop.abort(asked.signal?.reason);
    asked.signal?.addEventListener('abort', abort, { once: true });
    if (asked.signal?.aborted) abort();
    const late = new AnswerFault('idle', `nothing arrived for ${timeout} ms, the limit \`timeout\` of \`safeFetch\``);
    // Of an answer that is not read it would keep the process alive.
    const timer = setTimeout(() => stop.abort(late), timeout).unref();
    const arrived = () => clearTimeout(timer);
    try {
      const response = await sameOriginFetch(given, { ...asked, signal: stop.signal }, send);
      const { status, statusText, headers, body } = response;
      if (body === null || !response.ok) arrived();
      if (body === null) return response;
      if (!response.ok) return new Response(await errorText(response), { status, statusText, headers });
      const bounded = body.pipeThrough(new TransformStream(new Bounds(maxBytes, headers, arrived)));
      return new Response(bounded, { status, statusText, headers });
    } catch (error) {
      arrived();
      throw error;
    }
  };
}

/** Counts the bytes of a body. */
class Bounds implements Transformer<Uint8Array, Uint8Array> {
  #size = 0;
  /** Bytes that its reader has to keep: since the last empty line of a stream, or all of a JSON text. */
  #kept = 0;
  readonly #isStream: boolean;
  readonly #isJson: boolean;
  #atLineStart = false;

  constructor(
    private readonly max: number,
    headers: Headers,
    private readonly arrived: () => void,
  ) {
    const type = headers.get('content-type') ?? '';
    this.#isStream = type.includes('event-stream');
    this.#isJson = type.includes('application/json');
  }

  transform(bytes: Uint8Array, out: TransformStreamDefaultController<Uint8Array>): void {
    this.arrived();
    this.#size += bytes.length;
    if (this.#size > this.max) {
      throw new AnswerFault('large', `over ${sizeText(this.max)}, the limit \`maxBytes\` of \`safeFetch\``);
    }
    if (this.#isStream) this.#count(bytes);
    else if (this.#isJson) this.#kept = this.#size;
    if (this.#kept > PIECE_BYTES) throw tooLargePiece();
    out.enqueue(bytes);
  }

  flush(): void {
    this.arrived();
  }

  #count(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
      // Two ends of a line with nothing between them, or with a carriage return.
      const before = bytes.subarray(from, at);
      const isEmpty = before.length === 0 || (before.length === 1 && before[0] === CARRIAGE_RETURN);
      this.#kept = isEmpty && this.#atLineStart ? 0 : this.#kept + before.length + 1;
      this.#atLineStart = true;
      from = at + 1;
    }
    this.#kept += bytes.length - from;
    if (from < bytes.length) this.#atLineStart = false;
  }
}

/** The parts of a request: it is sent again after a redirect, and a `Request` can be sent once. */
async function initOf(request: Request, init: RequestInit): Promise<RequestInit> {
  const { method, headers, signal } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return { method, headers, signal, ...(body === undefined ? {} : { body }), ...init };
}
