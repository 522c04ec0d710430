import { createAnthropic } from '@ai-sdk/anthropic';
import { aiSdk } from 'holdfast/worker';
import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';
import type { ReplyPiece } from '../../kit/reply-pieces';
import { sendJson } from '../../kit/send-reply';
import { KEY } from '../provider';
import { beginStream, isWhole, sendPieces, sent } from '../send-pieces';
import type { Asked, AskedMessage, Wire, WireReply } from '../wire';
import { fetchWith } from './fetch-with';

/** What the provider's package asks for, where a model has no structured output: a call of this tool is the answer. */
const JSON_TOOL = 'json';

/** Anthropic's Messages API, behind `@ai-sdk/anthropic`. */
export const anthropic: Wire = {
  name: 'Anthropic messages',
  lacks: [],
  model(url, { extraBody, ...settings } = {}) {
    const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: KEY, fetch: fetchWith(extraBody) });
    return aiSdk(provider('m'), { maxTokens: 4096, ...settings });
  },
  asked(body, headers) {
    const tools = objects(body.tools);
    const output = tools.find(({ name }) => name === JSON_TOOL)?.input_schema;
    return {
      system: objects(body.system)
        .map(({ text }) => text)
        .join('\n'),
      messages: objects(body.messages).flatMap(askedMessages),
      tools: tools.flatMap(({ name, description, input_schema: inputSchema }) =>
        name === JSON_TOOL
          ? []
          : [{ name: String(name), description: String(description), inputSchema: inputSchema as JsonObject }],
      ),
      ...(isJsonObject(output) ? { output } : {}),
      body,
      headers,
    };
  },
  async send(reply, asked, response) {
    const problem = problemOf(asked);
    if (problem !== undefined) return sendJson(response, 400, this.error(400, { message: problem }));
    const blocks = new Blocks(asked.output !== undefined);
    const { prompt = 0, completion = 0 } = reply.usage ?? {};
    const cached = reply.cached ?? 0;
    const input = { input_tokens: prompt - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
    beginStream(response);
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
    await sent(
      response,
      event({ type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } }),
    );
    await sent(response, event({ type: 'ping' }));
    await sendPieces(reply, response, (piece) => blocks.next(piece, reply.signature));
    if (!isWhole(reply)) return;
    const delta = { stop_sequence: null, ...stopOf(reply, asked) };
    const end = { type: 'message_delta', delta, usage: { output_tokens: completion } };
    response.end(`${blocks.end(reply.signature)}${event(end)}${event({ type: 'message_stop' })}`);
  },
  error: (status, { code, message = '' }) => ({
    type: 'error',
    error: { type: code ?? ERRORS.get(status) ?? 'api_error', message },
  }),
};

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

function stopOf({ refusal, finishReason, calls }: WireReply, { output }: Asked): JsonObject {
  if (refusal !== undefined) {
    return { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: refusal } };
  }
  if (finishReason === 'length') return { stop_reason: 'max_tokens' };
  return { stop_reason: calls === undefined && output === undefined ? 'end_turn' : 'tool_use' };
}

/** The blocks of an answer: each begins, grows and ends. */
class Blocks {
  #index = -1;
  #open: ReplyPiece['type'] | undefined;

  /** @param asTool the text is the input of a call */
  constructor(private readonly asTool: boolean) {}

  next(piece: ReplyPiece, signature: string | undefined): string {
    if (piece.type === 'call') {
      return this.#begin('call', { type: 'tool_use', id: piece.id ?? '', name: piece.name, input: {} }, signature);
    }
    if (piece.type === 'arguments') return this.#delta({ type: 'input_json_delta', partial_json: piece.text });
    if (piece.type === 'reasoning') {
      const begin = this.#open === 'reasoning' ? '' : this.#begin('reasoning', { type: 'thinking', thinking: '' });
      return begin + this.#delta({ type: 'thinking_delta', thinking: piece.text });
    }
    const block = this.asTool
      ? { type: 'tool_use', id: 'toolu_json', name: JSON_TOOL, input: {} }
      : { type: 'text', text: '' };
    const begin = this.#open === 'text' ? '' : this.#begin('text', block, signature);
    const delta = this.asTool
      ? { type: 'input_json_delta', partial_json: piece.text }
      : { type: 'text_delta', text: piece.text };
    return begin + this.#delta(delta);
  }

  end(signature?: string): string {
    if (this.#open === undefined) return '';
    const signed = this.#open === 'reasoning' && signature !== undefined;
    this.#open = undefined;
    const sign = signed ? this.#delta({ type: 'signature_delta', signature }) : '';
    return sign + event({ type: 'content_block_stop', index: this.#index });
  }

  #begin(type: ReplyPiece['type'], block: JsonObject, signature?: string): string {
    const end = this.end(signature);
    this.#open = type;
    this.#index++;
    return end + event({ type: 'content_block_start', index: this.#index, content_block: block });
  }

  #delta(delta: JsonObject): string {
    return event({ type: 'content_block_delta', index: this.#index, delta });
  }
}

const event = (data: JsonObject) => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;

/** Results of calls come in a message of the user. */
function askedMessages({ role, content }: JsonObject): AskedMessage[] {
  const blocks = objects(content);
  if (role === 'assistant') return [assistantMessage(blocks)];
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const rest = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...results.map((result) => ({ ...said('tool', result.content), resultOf: String(result.tool_use_id) })),
    ...(rest.length === 0 ? [] : [said('user', rest)]),
  ];
}

function assistantMessage(blocks: JsonObject[]): AskedMessage {
  const thoughts = blocks.filter(({ type }) => type === 'thinking');
  const reasoning = thoughts.map(({ thinking }) => thinking).join('');
  const signature = thoughts.at(-1)?.signature;
  return {
    ...said('assistant', blocks),
    calls: blocks.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id: String(id), name: String(name), input: input as JsonObject }] : [],
    ),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(typeof signature === 'string' ? { signature } : {}),
  };
}

function said(role: AskedMessage['role'], content: Json | undefined): AskedMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
  return {
    role,
    text: blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n'),
    images: blocks.flatMap(({ source }) => (isJsonObject(source) ? [String(source.media_type ?? source.url)] : [])),
    calls: [],
  };
}

/** Why Anthropic would refuse a request. */
function problemOf({ messages }: Asked): string | undefined {
  let open = new Set<string>();
  for (const { role, resultOf, calls, text, images, signature, reasoning } of messages) {
    if (role === 'tool') {
      if (!open.delete(resultOf ?? ''))
        return `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${resultOf}`;
      continue;
    }
    if (open.size > 0) return `\`tool_use\` ids were found without \`tool_result\` blocks: ${[...open]}`;
    if (reasoning !== undefined && signature === undefined) return 'thinking.signature: Field required';
    if (text === '' && images.length === 0 && calls.length === 0) return 'messages: content must be non-empty';
    open = new Set(calls.map(({ id }) => id));
    if (open.size < calls.length) return '`tool_use` ids must be unique';
  }
  return undefined;
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
