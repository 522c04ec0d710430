import type { ModelCall, ModelRequest } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { remembered } from '../../../../agent/values/remembered';
import { urlBelow } from '../../../../runtime/url-below';
import { clientFor } from './client';

interface Sending<Body extends object> {
  /** Below the base URL. */
  path: string;
  body: Body;
  /** The field of the body that has the transcript. */
  list: keyof Body & string;
  request: Pick<ModelRequest, 'settings' | 'headers'>;
  call: Pick<ModelCall, 'signal'>;
}

/** Sends a request to a server, and gives its answer when the headers have come. */
export function sendBody<Body extends object>(config: ServerModel, sending: Sending<Body>): Promise<Response> {
  const { path, body, list, request, call } = sending;
  const headers = { 'content-type': 'application/json', ...request.settings.extraHeaders, ...request.headers };
  // What the client's own method for the path does, except that the client would turn all of the body into JSON again.
  return clientFor(config)
    .post(urlBelow(config.baseUrl, path), { body: bodyBytes(body, list), headers, signal: call.signal, stream: true })
    .asResponse();
}

/** Messages do not change, and each call of a run sends those of the calls before. */
const bytesOf = remembered((item: object) => Buffer.from(JSON.stringify(item)));

const COMMA = Buffer.from(',');

/** The JSON of a body, in which each item of one list is turned into JSON only once. */
export function bodyBytes<Body extends object>(body: Body, list: keyof Body & string): Buffer {
  const items: unknown = body[list];
  // A field of `extraBody` may have replaced it.
  if (!Array.isArray(items)) return Buffer.from(JSON.stringify(body));
  // Everything around it stays in its place, so that the text of the next request begins with that of this one.
  const fields = Object.entries(body);
  const at = fields.findIndex(([name]) => name === list);
  const before = inside(fields.slice(0, at));
  const after = inside(fields.slice(at + 1));
  const pieces = [Buffer.from(`{${before}${before && ','}${JSON.stringify(list)}:[`)];
  items.forEach((item: unknown, i) => {
    if (i > 0) pieces.push(COMMA);
    pieces.push(
      typeof item === 'object' && item !== null ? bytesOf(item) : Buffer.from(JSON.stringify(item) ?? 'null'),
    );
  });
  pieces.push(Buffer.from(`]${after && ','}${after}}`));
  return Buffer.concat(pieces);
}

/** The JSON of an object's fields, without its braces. */
function inside(fields: [string, unknown][]): string {
  return JSON.stringify(Object.fromEntries(fields)).slice(1, -1);
}
