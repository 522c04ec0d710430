import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
 */
export async function serveModel(answer: Answer, options: { port?: number } = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const bodies = new KeptBodies();
  const waiting = new Map<number, ((request: RecordedRequest) => void)[]>();

  const chat = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = await textOf(message);
    let body: ChatRequest;
    try {
      body = JSON.parse(json) as ChatRequest;
    } catch {
      return sendError(response, { kind: 'status', status: 400, message: 'The body is not JSON' });
    }
    const gone = new AbortController();
    let ownEnd = false;
    const kept = bodies.keep(body, json.length);
    const recorded: RecordedRequest = {
      get body() {
        return kept();
      },
      headers: message.headers,
      finished: false,
      socketClosed: new Promise((resolve) => {
        response.on('finish', () => {
          recorded.finished = true;
        });
        response.on('close', () => {
          gone.abort();
          if (!response.writableFinished && !ownEnd) resolve();
        });
      }),
    };
    const number = requests.push(recorded);
    for (const resolve of waiting.get(number) ?? []) resolve(recorded);
    waiting.delete(number);
    let reply: ModelReply | RawReply;
    try {
      reply = await answer(body, { number, headers: message.headers });
    } catch (error) {
      return sendError(response, { kind: 'status', status: 400, code: 'answer_threw', message: String(error) });
    }
    const out = new QuestionAnswer(response, body, number, gone.signal, () => {
      ownEnd = true;
    });
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    request: (number) =>
      new Promise((resolve) => {
        const there = requests[number - 1];
        if (there !== undefined) resolve(there);
        else waiting.set(number, [...(waiting.get(number) ?? []), resolve]);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
