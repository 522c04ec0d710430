import type { ServerResponse } from 'node:http';
import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';
import { chatDelta, sendJson, sse } from '../../kit/send-reply';
import { KEY } from '../provider';
import { beginStream, isWhole, sendPieces, sent } from '../send-pieces';
import type { Asked, AskedCall, AskedMessage, Wire, WireReply } from '../wire';

/**
 * OpenAI's chat completions. Reasoning without a signature comes as DeepSeek and vLLM send it, reasoning with one as
 * OpenRouter sends it.
 */
export const chat: Wire = {
  name: 'OpenAI chat completions',
  lacks: ['images in results'],
  model: (url, settings) => ({ baseUrl: `${url}/v1`, model: 'm', apiKey: KEY, ...settings }),
  asked: askedOfChat,
  async send(reply, asked, response) {
    const problem = problemOf(asked);
    if (problem !== undefined) return sendJson(response, 400, errorOfChat(400, { message: problem }));
    beginStream(response);
    await sent(response, chunk({ role: 'assistant', content: '', refusal: null }));
    await sendPieces(reply, response, (piece) =>
      piece.type === 'reasoning' && reply.signature !== undefined
        ? chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: piece.text }] })
        : chunk(chatDelta(piece)),
    );
    if (isWhole(reply)) await sendEnd(reply, response);
  },
  error: errorOfChat,
};

async function sendEnd(reply: WireReply, response: ServerResponse): Promise<void> {
  const { signature, refusal, calls, cached, usage, finishReason } = reply;
  if (signature !== undefined) {
    await sent(response, chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, signature }] }));
  }
  if (refusal !== undefined) await sent(response, chunk({ refusal }));
  await sent(response, chunk({}, finishReason ?? (calls === undefined ? 'stop' : 'tool_calls')));
  const { prompt = 0, completion = 0 } = usage ?? {};
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached ?? 0 },
  };
  response.end(
    `${sse({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [], usage: counted })}data: [DONE]\n\n`,
  );
}

/** One chunk of an answer. */
export function chunk(delta: JsonObject, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return sse({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices });
}

export function errorOfChat(status: number, { code, message = '' }: { code?: string; message?: string }): JsonObject {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param: null, code: code ?? null } };
}

export function askedOfChat(body: JsonObject, headers: Asked['headers']): Asked {
  const messages = objects(body.messages);
  const [first] = messages;
  const hasSystem = first?.role === 'system';
  const format = isJsonObject(body.response_format) ? body.response_format.json_schema : undefined;
  return {
    system: hasSystem ? textIn(first.content) : '',
    messages: (hasSystem ? messages.slice(1) : messages).map(askedMessage),
    tools: objects(body.tools).map((tool) => {
      const { name, description, parameters } = tool.function as JsonObject;
      return { name: String(name), description: String(description), inputSchema: parameters as JsonObject };
    }),
    ...(isJsonObject(format) ? { output: format.schema as JsonObject } : {}),
    body,
    headers,
  };
}

function askedMessage(message: JsonObject): AskedMessage {
  const { role, content, tool_call_id: resultOf, reasoning_content: plain, reasoning = plain } = message;
  const details = objects(message.reasoning_details);
  const thought = typeof reasoning === 'string' ? reasoning : details.map(({ text }) => text ?? '').join('');
  const signature = details.find((detail) => typeof detail.signature === 'string')?.signature;
  return {
    role: role as AskedMessage['role'],
    text: textIn(content),
    images: objects(content).flatMap((part) => {
      const { url } = isJsonObject(part.image_url) ? part.image_url : {};
      return typeof url === 'string' ? [/^data:([^;]+);/.exec(url)?.[1] ?? url] : [];
    }),
    calls: objects(message.tool_calls).map(askedCall),
    ...(typeof resultOf === 'string' ? { resultOf } : {}),
    ...(thought === '' ? {} : { reasoning: thought }),
    ...(typeof signature === 'string' ? { signature } : {}),
  };
}

function askedCall(call: JsonObject): AskedCall {
  const { name, arguments: args } = call.function as { name: string; arguments: string };
  return { id: String(call.id), name, input: JSON.parse(args) as JsonObject };
}

/** Why OpenAI would refuse a request. */
export function problemOf({ messages, tools, body }: Asked): string | undefined {
  let open = new Set<string>();
  for (const { role, resultOf, calls, images } of messages) {
    if (role === 'tool' && !open.delete(resultOf ?? '')) return `tool_call_id ${resultOf} is not of the last calls`;
    if (role === 'tool' && images.length > 0) return 'Image URLs are only allowed for messages with role `user`';
    if (role === 'tool') continue;
    if (open.size > 0) return `tool_call_ids did not have response messages: ${[...open]}`;
    open = new Set(calls.map(({ id }) => id));
    if (open.size < calls.length) return 'Duplicate id of a call';
  }
  if (tools.length > 0) return undefined;
  return ['tool_choice', 'parallel_tool_calls'].find((field) => body[field] !== undefined)?.concat(' needs `tools`');
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textIn(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}
