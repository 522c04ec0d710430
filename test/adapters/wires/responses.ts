import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../../agent/values/defined';
import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';
import type { Asked, AskedMessage, Wire, WireReply } from '../wire';

/**
 * OpenAI's Responses. Reasoning is a summary, and goes back with its encrypted content. There is no setting for texts that
 * end an answer.
 */
export const responses: Wire = {
  name: 'OpenAI Responses',
  lacks: ['stop sequence'],
  model: (url, settings) => ({
    baseUrl: `${url}/v1`,
    model: 'm',
    api: 'responses',
    apiKey: 'test-key-1234567890',
    ...settings,
  }),
  asked: askedOfResponses,
  async send(reply, asked, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, pause } of eventsOf(reply, asked)) {
      await new Promise((written) =>
        response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`, written),
      );
      if (pause) await sleep(reply.chunkDelay ?? 0);
    }
    if (reply.fault === undefined || !('after' in reply.fault)) response.end();
  },
  error: (status, { code, message = '' }) => ({
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: code ?? null,
    },
  }),
};

interface Sent {
  event: JsonObject;
  /** A piece of the answer, after which the server waits. */
  pause?: true;
}

/** Answers of this process have ids of their own, like a provider's. */
let answers = 0;

/** The events of an answer. With a fault that cuts it, they stop after so many characters. */
export function* eventsOf(reply: WireReply, asked: Asked): Generator<Sent> {
  const { fault, text, reasoning, refusal, calls = [], usage, cached, finishReason, chunkSize = 20 } = reply;
  const about = { id: `resp_${++answers}`, object: 'response', model: String(asked.body.model), error: null };
  let left = fault !== undefined && 'after' in fault ? fault.after : Number.POSITIVE_INFINITY;
  const output: JsonObject[] = [];

  function* pieces(type: string, whole: string, more: JsonObject): Generator<Sent> {
    for (let at = 0; at < whole.length && left > 0; at += chunkSize) {
      const delta = whole.slice(at, at + Math.min(chunkSize, left));
      left -= delta.length;
      yield { event: { type: `response.${type}.delta`, output_index: output.length, ...more, delta }, pause: true };
    }
  }
  function* item(begun: JsonObject, whole: JsonObject, inner: Generator<Sent>): Generator<Sent> {
    if (left <= 0) return;
    yield { event: { type: 'response.output_item.added', output_index: output.length, item: begun } };
    yield* inner;
    if (left <= 0) return;
    yield { event: { type: 'response.output_item.done', output_index: output.length, item: whole } };
    output.push(whole);
  }

  yield { event: { type: 'response.created', response: { ...about, status: 'in_progress', output: [], usage: null } } };
  if (reasoning !== undefined || reply.signature !== undefined) {
    const id = `rs_${answers}`;
    const summary = reasoning === undefined ? [] : [{ type: 'summary_text', text: reasoning }];
    const whole = { type: 'reasoning', id, summary, ...defined({ encrypted_content: reply.signature }) };
    const deltas = pieces('reasoning_summary_text', reasoning ?? '', { item_id: id, summary_index: 0 });
    yield* item({ type: 'reasoning', id, summary: [] }, whole, deltas);
  }
  if (text !== undefined || refusal !== undefined) {
    const id = `msg_${answers}`;
    const message = { type: 'message', id, role: 'assistant', status: 'completed' };
    const at = { item_id: id, content_index: 0 };
    const said: JsonObject =
      text === undefined ? { type: 'refusal', refusal: refusal ?? '' } : { type: 'output_text', text, annotations: [] };
    const deltas = text === undefined ? pieces('refusal', refusal ?? '', at) : pieces('output_text', text, at);
    yield* item({ ...message, content: [] }, { ...message, content: [said] }, deltas);
  }
  for (const [place, { name, arguments: input, id = `call_${answers}_${place}` }] of calls.entries()) {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const call = { type: 'function_call', id: `fc_${answers}_${place}`, call_id: id, name };
    const deltas = pieces('function_call_arguments', json, { item_id: call.id });
    yield* item({ ...call, arguments: '' }, { ...call, arguments: json, status: 'completed' }, deltas);
  }
  if (fault !== undefined) return;
  const isCut = finishReason === 'length';
  const status = isCut ? 'incomplete' : 'completed';
  yield {
    event: {
      type: `response.${status}`,
      response: {
        ...about,
        status,
        output,
        incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
        usage: {
          input_tokens: usage?.prompt ?? 0,
          input_tokens_details: { cached_tokens: cached ?? 0 },
          output_tokens: usage?.completion ?? 0,
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
  };
}

export function askedOfResponses(body: JsonObject, headers: IncomingHttpHeaders): Asked {
  const messages: AskedMessage[] = [];
  // Reasoning, text and calls of one answer are separate items.
  const answer = (): AskedMessage => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const next: AskedMessage = { role: 'assistant', text: '', images: [], calls: [] };
    messages.push(next);
    return next;
  };
  for (const item of objects(body.input)) {
    if (item.type === 'reasoning') {
      const { summary, encrypted_content: signature } = item;
      Object.assign(answer(), { reasoning: textIn(summary) }, typeof signature === 'string' ? { signature } : {});
    } else if (item.type === 'function_call') {
      const { call_id: id, name, arguments: input } = item;
      answer().calls.push({ id: String(id), name: String(name), input: JSON.parse(String(input)) as JsonObject });
    } else if (item.type === 'function_call_output') {
      const { call_id: id, output } = item;
      messages.push({ role: 'tool', resultOf: String(id), text: textIn(output), images: imagesIn(output), calls: [] });
    } else if (item.role === 'assistant') answer().text += textIn(item.content);
    else messages.push({ role: 'user', text: textIn(item.content), images: imagesIn(item.content), calls: [] });
  }
  const format = isJsonObject(body.text) && isJsonObject(body.text.format) ? body.text.format : {};
  return {
    system: typeof body.instructions === 'string' ? body.instructions : '',
    messages,
    tools: objects(body.tools).map(({ name, description, parameters }) => ({
      name: String(name),
      description: String(description),
      inputSchema: isJsonObject(parameters) ? parameters : {},
    })),
    ...(isJsonObject(format.schema) ? { output: format.schema } : {}),
    body,
    headers,
  };
}

function textIn(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

function imagesIn(content: Json | undefined): string[] {
  return objects(content).flatMap(({ image_url: url }) =>
    typeof url === 'string' ? [/^data:([^;]+);/.exec(url)?.[1] ?? url] : [],
  );
}

function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
