import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Arrivals, exchangeOf, listen, textOf } from './http-exchange';
import { KeptBodies } from './kept-bodies';
import type { ChatRequest, ModelReply } from './model-reply';
import { QuestionAnswer, type RawReply, sendError, sendJson } from './send-reply';

export type { RawReply } from './send-reply';

/** Makes the reply to a chat request. `number` counts the requests from 1. */
export type Answer = (
  request: ChatRequest,
  info: { number: number; headers: IncomingHttpHeaders },
) => ModelReply | RawReply | Promise<ModelReply | RawReply>;

/** A request that arrived at a scripted model. */
export interface RecordedRequest {
  /** Throws if it is no longer kept: only the newest are. */
  readonly body: ChatRequest;
  /** Headers of the HTTP request, names in lower case. */
  headers: IncomingHttpHeaders;
  /** Resolves when the client closes the socket before the end of the answer; else never. */
  socketClosed: Promise<void>;
  /** Resolves when the answer was sent to its end. */
  finished: boolean;
}

/** A server that speaks OpenAI's chat completions. */
export interface ModelServer {
  /** Base URL of the API; ends in `/v1`. */
  readonly url: string;
  /** Chat requests, in the order of their arrival. */
  readonly requests: RecordedRequest[];
  /** The request with this number, counted from 1, as soon as it has arrived. */
  request(number: number): Promise<RecordedRequest>;
  /** Destroys open connections and frees the port. */
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible server on 127.0.0.1 that sends the answers of `answer`. An error that `answer` throws becomes a
 * 400 with the code `answer_threw`, so that a faulty test fails at once instead of being retried.
 * @param options.port default: any free one
 * @throws HoldfastError `PortTaken` for a port that is in use
 */
export async function serveModel(answer: Answer, options: { port?: number } = {}): Promise<ModelServer> {
  const arrivals = new Arrivals<RecordedRequest>();
  const bodies = new KeptBodies();

  const chat = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = await textOf(message);
    let body: ChatRequest;
    try {
      body = JSON.parse(json) as ChatRequest;
    } catch {
      return sendError(response, { kind: 'status', status: 400, message: 'The body is not JSON' });
    }
    const exchange = exchangeOf(response);
    const kept = bodies.keep(body, json.length);
    const number = arrivals.add({
      get body() {
        return kept();
      },
      headers: message.headers,
      get finished() {
        return exchange.finished;
      },
      socketClosed: exchange.socketClosed,
    });
    let reply: ModelReply | RawReply;
    try {
      reply = await answer(body, { number, headers: message.headers });
    } catch (error) {
      return sendError(response, { kind: 'status', status: 400, code: 'answer_threw', message: String(error) });
    }
    const out = new QuestionAnswer(response, body, number, exchange);
    if ('raw' in reply) await out.raw(reply);
    else await out.send(reply);
  };

  const server = createServer((message, response) => {
    const path = message.url?.split('?', 1)[0];
    if (message.method === 'POST' && path === '/v1/chat/completions') {
      // The only remaining errors are those of a client that went away.
      chat(message, response).catch(() => response.destroy());
    } else if (message.method === 'GET' && path === '/v1/models') {
      sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model', owned_by: 'holdfast' }] });
    } else {
      sendError(response, { kind: 'status', status: 404, message: `No such path: ${message.method} ${message.url}` });
    }
  });
  const { port, close } = await listen(server, options.port);

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: arrivals.all,
    request: (number) => arrivals.wait(number),
    close,
  };
}
