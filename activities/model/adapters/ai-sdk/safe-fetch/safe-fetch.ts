import { linkedAbort } from '../../../../../runtime/abort/linked-abort';
import { sameOriginFetch } from '../../../../../runtime/same-origin-fetch';
import { valuesOf } from '../../../../json-extent';
import { AnswerFault } from '../../../failures/answer-fault';
import { ANSWER_BYTES, errorText } from '../../openai/body';
import { hearingOfCall } from '../signs-of-life';
import { BodyBounds } from './body-bounds';

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

/**
 * Makes a `fetch` for a provider that need not be trusted: `createAnthropic({ fetch: safeFetch() })`. It bounds the bytes
 * of an answer, of one event in it (4 MB, and 20,000 values of JSON) and of an error (64 KB), and the time until the first
 * byte. Redirects are followed within the origin only, five at most: any other would get the key and the conversation.
 * Every byte ends the silence that the `idleTimeout` of a model allows.
 */
export function safeFetch(options: SafeFetchOptions = {}): typeof fetch {
  const { maxBytes = ANSWER_BYTES, timeout = TIMEOUT, fetch: send } = options;
  return async (given, init = {}) => {
    const asked = given instanceof Request ? await initOf(given, init) : init;
    const stop = linkedAbort(asked.signal);
    const late = new AnswerFault('idle', `nothing arrived for ${timeout} ms, the limit \`timeout\` of \`safeFetch\``);
    // Of an answer that is not read it would keep the process alive.
    const timer = setTimeout(() => stop.abort(late), timeout).unref();
    const arrived = () => clearTimeout(timer);
    const over = () => {
      arrived();
      stop.unlink();
    };
    const hearing = hearingOfCall();
    hearing.sent(new Headers(asked.headers));
    try {
      const response = await sameOriginFetch(given, { ...asked, signal: stop.signal }, send);
      const { status, statusText, headers, body } = response;
      if (body === null || !response.ok) {
        arrived();
        const whole =
          body === null ? response : new Response(await errorText(response), { status, statusText, headers });
        over();
        return whole;
      }
      const contentType = headers.get('content-type') ?? '';
      const isJson = contentType.includes('json');
      const bounds = new BodyBounds({
        max: maxBytes,
        contentType,
        // Some servers repeat the tools and the form of the answer.
        moreValues: () => (typeof asked.body === 'string' ? valuesOf(asked.body) : 0),
        onBytes: (bytes) => {
          arrived();
          hearing.alive();
          if (isJson) hearing.json(bytes);
        },
      });
      const bounded = new TransformStream(bounds);
      // Its reader gets the error of a body that is cut.
      body.pipeTo(bounded.writable).then(over, over);
      return new Response(bounded.readable, { status, statusText, headers });
    } catch (error) {
      over();
      throw error;
    }
  };
}

/** The parts of a request: it is sent again after a redirect, and a `Request` can be sent once. */
async function initOf(request: Request, init: RequestInit): Promise<RequestInit> {
  const { method, headers, signal } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return { method, headers, signal, ...(body === undefined ? {} : { body }), ...init };
}
