import { randomUUID } from 'node:crypto';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { isNestedDeeper } from '../../../../agent/values/json-depth';
import { mendCallResult, mendResult } from './mend-result';

/** Marks the error that ends a request whose answer cannot be read. Not to be guessed, since servers send errors too. */
export const INVALID = { invalid: randomUUID() } as const;

/** Whether the data of an error are that mark, also after they were written and read again. */
export function isInvalid(data: unknown): boolean {
  return isJsonObject(data) && data.invalid === INVALID.invalid;
}

interface OpenRequest {
  id: RequestId;
  method: string;
  /** The notifications that were sent before it. */
  after: number;
}

/**
 * The requests that wait for an answer, by which messages of a server are recognized. Many servers are not made with an
 * SDK, and the client's parser is strict: an answer that it discards would leave its request waiting until the time is up.
 */
export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();
  #notifications = 0;
  /** Notifications that the server has read: its errors without an id are not about them. */
  #read = 0;
  /** The requests of mended answers. */
  readonly #answered = new WeakMap<object, OpenRequest>();

  sent(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      this.#open.set(String(message.id), { id: message.id, method: message.method, after: this.#notifications });
    } else if (isJSONRPCNotification(message)) {
      this.#notifications++;
      if (message.method === 'notifications/cancelled') this.#open.delete(String(message.params?.requestId));
    }
  }

  /** @throws when a value is not a message */
  read(value: unknown): JSONRPCMessage {
    const mended = this.mend(value);
    try {
      return parseJSONRPCMessage(mended);
    } catch (error) {
      const request = isJsonObject(mended) ? this.#answered.get(mended) : undefined;
      if (request === undefined) throw error;
      return invalid(request, shown(value));
    }
  }

  /** All that came in the only response to a request: it answers the request, even if not as it should. */
  readAll(value: unknown): JSONRPCMessage[] {
    const messages = each(value).flatMap((one) => {
      try {
        return [this.read(one)];
      } catch {
        return [];
      }
    });
    return [...messages, ...this.unanswered(shown(value))];
  }

  /** What ends the requests that still wait for an answer, of which only `said` came. */
  unanswered(said: string): JSONRPCMessage[] {
    return [...this.#open.values()].map((request) => invalid(request, said));
  }

  /** Notes a message that needs no mending. False for an answer to none of the requests. */
  accept(message: JSONRPCMessage): boolean {
    return 'method' in message || this.#take(message.id) !== undefined;
  }

  /** What a line that begins like an answer, and is not JSON, does to its request. */
  readBroken(line: string): JSONRPCMessage | undefined {
    const head = line.slice(0, 200);
    const [, id] = /^\s*\{.*?"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head) ?? [];
    if (id === undefined || !head.includes('"jsonrpc"') || head.includes('"method"')) return undefined;
    const request = this.#take(JSON.parse(id));
    return request && invalid(request, line);
  }

  /** The message that a value was meant to be; the value itself, if that is not clear. */
  mend(value: unknown): unknown {
    if (!isJsonObject(value)) return value;
    if (typeof value.method === 'string' && value.method !== '') return mendUnasked(value);
    const request = isAnswer(value) ? this.#take(value.id) : undefined;
    if (request === undefined) return value;
    const answer = answerTo(request, value);
    this.#answered.set(answer, request);
    return answer;
  }

  #take(id: unknown): OpenRequest | undefined {
    const request = id === undefined || id === null ? this.#only() : this.#open.get(String(id));
    if (request === undefined) return undefined;
    this.#open.delete(String(request.id));
    this.#read = Math.max(this.#read, request.after);
    return request;
  }

  /**
   * Which request an answer without an id is for. Some servers answer even notifications in that way, so the first such
   * answers may be about those that were sent since the server was last heard.
   */
  #only(): OpenRequest | undefined {
    if (this.#read < this.#notifications) {
      this.#read++;
      return undefined;
    }
    const [only, ...others] = this.#open.values();
    return others.length === 0 ? only : undefined;
  }
}

/** The values of a batch, or the only one. */
export function each(value: unknown): unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : [value];
}

/** Whether it answers something. Without `jsonrpc` it may be a line of a log, which has other fields too. */
function isAnswer(value: JsonObject): boolean {
  const { id = null, result = null, error = null } = value;
  if ('jsonrpc' in value) return id !== null || result !== null || error !== null;
  return id !== null && Object.keys(value).length > 1 && Object.keys(value).every((field) => FIELDS.has(field));
}

const FIELDS = new Set(['id', 'result', 'error']);

function answerTo(request: OpenRequest, value: JsonObject): JsonObject & JSONRPCMessage {
  const { id, method } = request;
  const result = value.result ?? undefined;
  const error = value.error || undefined;
  const failure = error === undefined ? undefined : failureOf(error);
  if (result === undefined && failure !== undefined) return { jsonrpc: '2.0', id, error: failure };
  if (error === undefined && method === 'tools/call' && result !== undefined) {
    return { jsonrpc: '2.0', id, result: mendCallResult(result) };
  }
  if (error === undefined && isJsonObject(result)) return { jsonrpc: '2.0', id, result: mendResult(result) };
  return invalid(request, shown(value));
}

interface Failure extends JsonObject {
  code: number;
  message: string;
}

function failureOf(error: unknown): Failure | undefined {
  if (typeof error === 'string') return { code: ProtocolErrorCode.InternalError, message: error };
  if (!isJsonObject(error)) return undefined;
  const number = typeof error.code === 'string' && error.code.trim() !== '' ? Number(error.code) : error.code;
  const code = Number.isInteger(number) ? (number as number) : ProtocolErrorCode.InternalError;
  const message = typeof error.message === 'string' ? error.message : shown(error);
  return { ...error, code, message };
}

function invalid({ id }: OpenRequest, said: string): JsonObject & JSONRPCMessage {
  const error = { code: ProtocolErrorCode.InternalError, message: `it sent \`${said}\``, data: INVALID };
  return { jsonrpc: '2.0', id, error };
}

/** Not cut: that is done after secrets are removed. */
function shown(value: unknown): string {
  return isNestedDeeper(value) ? '…' : JSON.stringify(value);
}

/** A request or a notification of the server. */
function mendUnasked(value: JsonObject): JsonObject {
  const { jsonrpc, id, method, params, ...others } = value;
  if (jsonrpc === undefined && Object.keys(others).length > 0) return value;
  return {
    jsonrpc: '2.0',
    ...(id === undefined || id === null ? {} : { id }),
    method: method as string,
    ...(isJsonObject(params) ? { params } : {}),
  };
}
