import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ModelAnswer } from '../../../agent/model/answer';
import type { ModelConfig, ModelOptions } from '../../../agent/model/config';
import type { Json, JsonObject } from '../../../agent/values/json';
import { ask } from '../../activities/model/asking';
import { lookup } from '../../activities/model/lookup';
import { newGate } from '../../gate';
import { INTERVAL, longestBlock } from './longest-block';

const MB = 1024 * 1024;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What the configuration of a model behind a hostile server may say. */
export interface HostileOptions extends ModelOptions {
  /** Maximum bytes of one answer. */
  maxAnswerBytes?: number;
}

/** Makes the configuration of a model behind a server. */
export type ModelAt = (baseUrl: string, options: HostileOptions) => ModelConfig;

const chatModel: ModelAt = (baseUrl, options) => ({ baseUrl, model: 'm', ...options });

/**
 * A model server that answers with whatever `answer` writes; `gone` resolves when the client has closed its socket.
 * @param modelAt how it is reached; default: chat completions
 */
export async function hostile(answer: (response: ServerResponse) => unknown, modelAt = chatModel) {
  let requests = 0;
  const { open: leave, opened: gone } = newGate();
  const server = createServer((request, response) => {
    requests++;
    request.resume();
    request.socket.on('close', leave);
    answer(response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    gone,
    baseUrl,
    config: (options: HostileOptions = {}) => modelAt(baseUrl, options),
    requests: () => requests,
  };
}

export const SSE = { 'content-type': 'text/event-stream' };
export const JSON_BODY = { 'content-type': 'application/json' };

/** Writes a piece repeatedly, as fast as it is read, until this many bytes are written or the reader has gone. */
export async function pour(response: ServerResponse, piece: string | Buffer, total: number): Promise<void> {
  const size = Buffer.byteLength(piece);
  for (let sent = 0; sent < total && !response.destroyed; sent += size) {
    if (response.write(piece)) continue;
    const either = new AbortController();
    const { signal } = either;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
    either.abort();
  }
  response.end();
}

/** Writes one piece after the other, one every this many milliseconds, and ends with the last. */
export function dribble(response: ServerResponse, pieces: readonly string[], every: number, last = ''): void {
  const rest = [...pieces];
  const timer = setInterval(() => {
    response.write(rest.shift());
    if (rest.length > 0) return;
    clearInterval(timer);
    response.end(last);
  }, every);
}

/** Writes a piece every this many milliseconds until the reader has gone. */
export function trickle(response: ServerResponse, piece: string, every: number): void {
  const timer = setInterval(() => response.write(piece), every);
  response.on('close', () => clearInterval(timer));
}

/** Data that inflates to `total` bytes of repeated `text`. */
export function bomb(text: string, total: number): Buffer {
  const member = gzipSync(Buffer.alloc(16 * MB, text));
  return Buffer.concat(Array.from({ length: Math.ceil(total / (16 * MB)) }, () => member));
}

export const event = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;
export const deltaOf = (delta: JsonObject) => event({ choices: [{ index: 0, delta, finish_reason: null }] });
export const ended = (reason = 'stop') => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
export const stream = (...events: string[]) => `${events.join('')}data: [DONE]\n\n`;

interface Sent {
  /** Default: a stream. */
  headers?: { [name: string]: string };
  /** Default 200. */
  status?: number;
  /** How its model is reached; default: chat completions. */
  model?: ModelAt;
}

/** An answer that is sent as it is. */
export const sent = (body: string | Buffer, { headers = SSE, status = 200, model }: Sent = {}) =>
  hostile((response) => response.writeHead(status, headers).end(body), model);

interface Cost {
  /** The longest time that work of this process blocked the event loop, in milliseconds. */
  blocked: number;
  /** The largest growth of the process's memory. */
  megabytes: number;
}

/** The cost of some work. The hostile server runs in the same process, so its own work counts as well. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Cost & { result: Result }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, INTERVAL);
  const blocked = longestBlock();
  try {
    const result = await work();
    most = Math.max(most, process.memoryUsage.rss());
    return { result, blocked: blocked(), megabytes: (most - before) / MB };
  } finally {
    blocked();
    clearInterval(sampler);
  }
}

/**
 * Milliseconds that the event loop may be blocked: the limit is 200, at most 110 were measured, and the rest is for a
 * slow machine. Work that is not linear ends with the timeout of its test.
 */
export const BLOCKED = 1000;

/** Calls a model that has the tool `look_up`, and expects that the answer blocks nothing. */
export async function cheaply(body: string, how?: Sent): Promise<ModelAnswer> {
  const server = await sent(body, how);
  const { result, blocked } = await costOf(() => ask(server.config(), { tools: [lookup] }));
  expect(blocked).toBeLessThan(BLOCKED);
  return result;
}
