import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../agent/values/defined';
import type { Json, JsonObject } from '../../agent/values/json';
import type { Exchange } from './http-exchange';
import type { ChatRequest, ModelReply, ReplyFault } from './model-reply';
import { argumentsText, type ReplyPiece, replyPieces, usageOf, withCallIds } from './reply-pieces';

/**
 * An answer written by hand, for cases that the rest of {@link ModelReply} cannot express, such as a strange provider's
 * chunks.
 */
export interface RawReply {
  /** Objects become SSE `data:` lines, texts are sent as they are, when they are there. `[DONE]` is not added. */
  raw: Iterable<JsonObject | string> | AsyncIterable<JsonObject | string>;
  /** Default 200. */
  status?: number;
  /** Default `text/event-stream`. */
  contentType?: string;
  /** The socket stays open after the last chunk. */
  hold?: true;
}

/** One answer in progress. */
export class QuestionAnswer {
  constructor(
    private readonly response: ServerResponse,
    private readonly request: ChatRequest & { stream_options?: { include_usage?: boolean } },
    private readonly number: number,
    private readonly exchange: Exchange,
  ) {}

  async send(reply: ModelReply): Promise<void> {
    await this.pause(reply.delay);
    const { fault } = reply;
    if (fault?.kind === 'status') return sendError(this.response, fault);
    if (fault?.kind === 'html') {
      this.response.writeHead(200, { 'content-type': 'text/html' });
      this.response.end('<!doctype html><html><body>Welcome</body></html>');
      return;
    }
    await (this.request.stream === true ? this.stream(reply) : this.whole(reply));
  }

  async raw(reply: RawReply): Promise<void> {
    this.response.writeHead(reply.status ?? 200, { 'content-type': reply.contentType ?? 'text/event-stream' });
    for await (const chunk of reply.raw) {
      await this.write(typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`);
    }
    if (reply.hold !== true) this.response.end();
  }

  private async stream(reply: ModelReply): Promise<void> {
    const { fault } = reply;
    this.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.response.flushHeaders();
    if (fault?.kind === 'no-choices') {
      await this.write(sse(this.chunk([])));
      this.response.end('data: [DONE]\n\n');
      return;
    }
    if (fault?.kind === 'half-chunk') {
      const whole = sse(this.chunk([{ index: 0, delta: { content: 'half' }, finish_reason: null }]));
      this.response.end(`${whole.slice(0, whole.length / 2)}\n\n`);
      return;
    }
    await this.delta({ role: 'assistant', content: '' });
    for (const piece of replyPieces(withCallIds(reply, this.number))) {
      await this.delta(chatDelta(piece));
      if ('text' in piece) await this.pause(reply.chunkDelay);
    }
    if (fault?.kind === 'stall') return;
    if (fault?.kind === 'cut') {
      this.exchange.breaking();
      this.response.destroy();
      return;
    }
    if (fault?.kind !== 'unfinished') {
      await this.write(sse(this.chunk([{ index: 0, delta: {}, finish_reason: finishReason(reply) }])));
      if (this.request.stream_options?.include_usage === true) {
        await this.write(sse({ ...this.chunk([]), usage: this.usage(reply) }));
      }
    }
    this.response.end('data: [DONE]\n\n');
  }

  private async whole(reply: ModelReply): Promise<void> {
    const { fault } = reply;
    const toolCalls = (withCallIds(reply, this.number).calls ?? []).map(({ id, name, arguments: args }) => ({
      ...defined({ id }),
      type: 'function',
      function: { name, arguments: argumentsText(args) },
    }));
    const message: JsonObject = {
      role: 'assistant',
      content: reply.text ?? null,
      ...defined({ reasoning_content: reply.reasoning }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    };
    const finish = fault?.kind === 'unfinished' ? null : finishReason(reply);
    const choices: Json[] = fault?.kind === 'no-choices' ? [] : [{ index: 0, message, finish_reason: finish }];
    const body = JSON.stringify({
      ...this.chunk(choices),
      object: 'chat.completion',
      usage: this.usage(reply),
    });
    if (fault?.kind !== 'cut' && fault?.kind !== 'half-chunk' && fault?.kind !== 'stall') {
      sendJson(this.response, 200, body);
      return;
    }
    this.response.writeHead(200, { 'content-type': 'application/json' });
    await this.write(body.slice(0, body.length / 2));
    if (fault.kind === 'half-chunk') this.response.end();
    else if (fault.kind === 'cut') {
      this.exchange.breaking();
      this.response.destroy();
    }
  }

  private chunk(choices: Json[]): JsonObject {
    return {
      id: `chatcmpl-${this.number}`,
      object: 'chat.completion.chunk',
      created: 0,
      model: this.request.model,
      choices,
    };
  }

  private usage(reply: ModelReply): JsonObject {
    const { prompt, completion } = usageOf(reply, this.request.messages);
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  }

  private delta(delta: JsonObject): Promise<void> {
    return this.write(sse(this.chunk([{ index: 0, delta, finish_reason: null }])));
  }

  /** Waits until the bytes have left, so that a fault that follows cannot discard them. */
  private write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.exchange.gone.throwIfAborted();
      this.response.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  private async pause(milliseconds: number | undefined): Promise<void> {
    if (milliseconds !== undefined && milliseconds > 0)
      await sleep(milliseconds, undefined, { signal: this.exchange.gone });
  }
}

/** A piece of a reply as the delta of a chat completion. */
export function chatDelta(piece: ReplyPiece): JsonObject {
  switch (piece.type) {
    case 'reasoning':
      return { reasoning_content: piece.text };
    case 'text':
      return { content: piece.text };
    case 'call': {
      const { index, id, name } = piece;
      return { tool_calls: [{ index, ...defined({ id }), type: 'function', function: { name, arguments: '' } }] };
    }
    case 'arguments':
      return { tool_calls: [{ index: piece.index, function: { arguments: piece.text } }] };
  }
}

const finishReason = (reply: ModelReply) => reply.finishReason ?? (reply.calls?.length ? 'tool_calls' : 'stop');
export const sse = (chunk: JsonObject) => `data: ${JSON.stringify(chunk)}\n\n`;

export function sendError(response: ServerResponse, fault: Extract<ReplyFault, { kind: 'status' }>): void {
  const error = {
    message: fault.message ?? `Scripted failure ${fault.status}`,
    type: fault.status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: fault.code ?? null,
  };
  sendJson(response, fault.status, { error }, fault.headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject | string,
  headers: { [name: string]: string } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
