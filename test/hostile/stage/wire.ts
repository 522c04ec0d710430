import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../agent/values/json';

export const MB = 1024 * 1024;

/** One event of a streamed answer. */
export function chunk(delta: JsonObject, more: JsonObject = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
}

/** A piece of a tool call. */
export function toolPiece(call: JsonObject, name: string, args: string): string {
  const named = name === '' ? {} : { name };
  return chunk({ tool_calls: [{ index: 0, ...call, function: { ...named, arguments: args } }] });
}

export function ending(reason: string, more: JsonObject = {}): string {
  const last = { choices: [{ index: 0, delta: {}, finish_reason: reason }], ...more };
  return `data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`;
}

export function head(out: ServerResponse, type: string, { status = 200, ...headers }: Head = {}): void {
  out.writeHead(status, { 'content-type': type, ...headers });
  out.flushHeaders();
}
interface Head {
  status?: number;
  [header: string]: string | number;
}

/** Writes no faster than it is read, and stops when the reader has gone. */
export async function pour(out: ServerResponse, pieces: Iterable<string | Buffer>, every = 0): Promise<void> {
  for (const one of pieces) {
    if (out.destroyed || out.closed) return;
    if (!out.write(one)) await room(out);
    if (every > 0) await pause(every);
  }
}

/** Resolves when more may be written, or the reader has gone. */
function room(out: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    out.on('drain', done).on('close', done);
  });
}

/** The same value repeatedly. */
export function* forEver(one: string | Buffer): Generator<string | Buffer> {
  for (;;) yield one;
}

export function* times(count: number, make: (i: number) => string): Generator<string> {
  for (let i = 0; i < count; i++) yield make(i);
}

/** Made in advance: the client waits some seconds at most. */
const bomb = gzipSync(Buffer.alloc(64 * MB, 'a'));

/** A gigabyte of one letter in about a megabyte: gzip members may follow each other. */
export async function sendBomb(out: ServerResponse, type: string, status = 200): Promise<void> {
  head(out, type, { status, 'content-encoding': 'gzip' });
  await pour(
    out,
    Array.from({ length: 16 }, () => bomb),
  );
  out.end();
}

/** Nested JSON lists; `JSON.stringify` would not get through. */
export function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}
