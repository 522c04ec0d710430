import type { ModelCall, ModelRequest } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { remembered } from '../../../../agent/values/remembered';
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
    .post(path, { body: bodyBytes(body, list), headers, signal: call.signal, stream: true })
    .asResponse();
}

/** Messages do not change, and each call of a run sends those of the calls before. */
const bytesOf = remembered((item: object) => Buffer.from(JSON.stringify(item)));

const [OPEN, COMMA, CLOSE] = ['[', ',', ']}'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** The JSON of a body, in which each item of one list is turned into JSON only once. */
export function bodyBytes<Body extends object>(body: Body, list: keyof Body & string): Buffer {
  const { [list]: items, ...others } = body;
  // A field of `extraBody` may have replaced it.
  if (!Array.isArray(items)) return Buffer.from(JSON.stringify(body));
  const rest = JSON.stringify(others).slice(1, -1);
  const pieces = [Buffer.from(`{${rest}${rest === '' ? '' : ','}${JSON.stringify(list)}:`), OPEN];
  items.forEach((item: unknown, at) => {
    if (at > 0) pieces.push(COMMA);
    pieces.push(
      typeof item === 'object' && item !== null ? bytesOf(item) : Buffer.from(JSON.stringify(item) ?? 'null'),
    );
  });
  pieces.push(CLOSE);
  return Buffer.concat(pieces);
}
