import type { Payload } from '@temporalio/common';
import { isJsonObject } from '../../agent/values/json';

const NEWLINE = 0x0a;

/** A payload as one object: a line of JSON with its metadata in base64, then its data as they are. */
export function toObject({ metadata, data }: Payload): Uint8Array {
  const entries = Object.entries(metadata ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = entries.map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(Object.fromEntries(texts))}\n`), data ?? Buffer.alloc(0)]);
}

/** @throws for bytes of another form */
export function fromObject(bytes: Uint8Array): Payload {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) throw new SyntaxError('Expected a line of metadata');
  const texts: unknown = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString());
  if (!isJsonObject(texts)) throw new SyntaxError('Expected metadata');
  const metadata = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, bytesOf(text)]));
  return { metadata, data: new Uint8Array(bytes.subarray(end + 1)) };
}

function bytesOf(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw new SyntaxError('Expected texts');
  return new Uint8Array(Buffer.from(text, 'base64'));
}
