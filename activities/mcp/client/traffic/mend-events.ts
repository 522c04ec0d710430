import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isJsonObject } from '../../../../agent/values/json';
import { isNestedDeeper } from '../../../../agent/values/json-depth';
import { each, type OpenRequests } from './open-requests';

/**
 * A stream of events in which each answer is as the SDK's strict parser accepts it: of an event that it refuses the SDK
 * tells nothing, and the request would wait until the stream ends or the time is up. Other events pass as they are.
 * @param answering the stream is the response to these requests: its end without an answer is an invalid one, if it
 * said something that can have been meant as one
 */
export function mendEvents(
  requests: OpenRequests,
  { answering = false } = {},
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let unclear: string | undefined;
  let mended = '';
  const parser = createParser({
    onEvent(event) {
      if (event.event !== undefined && event.event !== 'message') mended += written(event);
      else {
        const { messages, isUnclear } = mendData(event.data, requests);
        if (isUnclear) unclear = event.data;
        mended += messages.map((data) => written({ ...event, data })).join('');
      }
    },
    onRetry: (ms) => {
      mended += `retry: ${ms}\n\n`;
    },
  });
  const pass = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    parser.feed(text);
    if (mended !== '') controller.enqueue(encoder.encode(mended));
    mended = '';
  };
  return new TransformStream({
    transform: (chunk, controller) => pass(decoder.decode(chunk, { stream: true }), controller),
    flush(controller) {
      pass(decoder.decode(), controller);
      if (!answering || unclear === undefined) return;
      for (const answer of requests.unanswered(unclear)) {
        controller.enqueue(encoder.encode(written({ data: JSON.stringify(answer) })));
      }
    },
  });
}

interface Mended {
  /** The data of one event each. */
  messages: string[];
  /** It is neither an answer to one of the requests nor something that the server says on its own. */
  isUnclear: boolean;
}

function mendData(data: string, requests: OpenRequests): Mended {
  if (data === '') return { messages: [data], isUnclear: false };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    const answer = requests.readBroken(data);
    return { messages: [answer === undefined ? data : JSON.stringify(answer)], isUnclear: answer === undefined };
  }
  if (isNestedDeeper(value)) return { messages: [data], isUnclear: false };
  if (isMessage(value)) return { messages: [data], isUnclear: !requests.accept(value) };
  const all = each(value).map((one) => read(one, requests));
  const messages = all.flatMap((message) => (message === undefined ? [] : [JSON.stringify(message)]));
  return { messages: messages.length === 0 ? [data] : messages, isUnclear: all.includes(undefined) };
}

function read(value: unknown, requests: OpenRequests): JSONRPCMessage | undefined {
  try {
    return requests.read(value);
  } catch {
    return undefined;
  }
}

/** Whether the SDK can read it. Only an answer is looked at closely: of other messages there may be thousands. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return false;
  if (typeof value.method === 'string' && value.method !== '') return true;
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

function written({ id, event, data }: Partial<EventSourceMessage>): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data ?? '').split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
