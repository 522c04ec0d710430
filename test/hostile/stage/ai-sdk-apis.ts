import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { aiSdk, safeFetch } from 'holdfast/worker';
import { defined } from '../../../agent/values/defined';
import type { Json, JsonObject } from '../../../agent/values/json';
import { KEY } from '../../adapters/provider';
import type { HostileApi } from './hostile-api';
import { event, type ModelAt } from './hostile-model';

/** A model of a provider's package, with `safeFetch` as its `fetch`. */
const modelOf =
  (provider: (baseURL: string, fetch: typeof globalThis.fetch) => Parameters<typeof aiSdk>[0]): ModelAt =>
  (baseUrl, { maxAnswerBytes, ...options }) =>
    aiSdk(provider(baseUrl, safeFetch(defined({ maxBytes: maxAnswerBytes }))), options);

const LIMIT = '`maxBytes` of `safeFetch`';

const begins = (index: number, block: JsonObject) =>
  event({ type: 'content_block_start', index, content_block: block as Json });
const grows = (index: number, delta: JsonObject) => event({ type: 'content_block_delta', index, delta: delta as Json });
const stops = (index: number) => event({ type: 'content_block_stop', index });

/** Anthropic's messages, behind `@ai-sdk/anthropic`. */
export const anthropic: HostileApi = {
  name: 'Anthropic messages',
  model: modelOf((baseURL, fetch) => createAnthropic({ baseURL, apiKey: KEY, fetch })('m')),
  limit: LIMIT,
  isForeign: true,
  text: (text) => grows(0, { type: 'text_delta', text }),
  call: ({ index, id, name, arguments: args }) =>
    begins(index + 2, { type: 'tool_use', id, name, input: {} }) +
    grows(index + 2, { type: 'input_json_delta', partial_json: args }) +
    stops(index + 2),
  reasoning: (thinking) => grows(1, { type: 'thinking_delta', thinking }),
  padding: (padding) => event({ type: 'ping', padding }),
  failed: (message) => event({ type: 'error', error: { type: 'authentication_error', message } }),
  ended: ({ calls, tokens = '7' } = {}) =>
    `data: {"type":"message_delta","delta":{"stop_reason":"${calls ? 'tool_use' : 'end_turn'}"},"usage":{"input_tokens":${tokens},"output_tokens":${tokens}}}\n\n` +
    event({ type: 'message_stop' }),
  beside: (huge) => [
    [
      'the name of the model',
      { type: 'message_start', message: { id: 'm', model: huge, usage: { input_tokens: 1, output_tokens: 1 } } },
    ],
    [
      'the name of a tool',
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'a', name: huge, input: {} } },
    ],
    [
      'the id of a call',
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: huge, name: 'look_up', input: {} },
      },
    ],
    ['a stop_reason', { type: 'message_delta', delta: { stop_reason: huge }, usage: { output_tokens: 1 } }],
    ['a signature', { type: 'content_block_delta', index: 1, delta: { type: 'signature_delta', signature: huge } }],
    [
      'redacted thinking',
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: huge } },
    ],
  ],
};

const chunk = (parts: JsonObject[], more: JsonObject = {}) =>
  event({ candidates: [{ content: { role: 'model', parts: parts as Json[] }, ...more }] });

/** Gemini's generateContent, behind `@ai-sdk/google`. */
export const google: HostileApi = {
  name: 'Gemini',
  endsWithStream: true,
  model: modelOf((baseURL, fetch) => createGoogleGenerativeAI({ baseURL, apiKey: KEY, fetch })('m')),
  limit: LIMIT,
  isForeign: true,
  text: (text) => chunk([{ text }]),
  call: ({ name, arguments: args }) =>
    `data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":${JSON.stringify(name)},"args":${args}}}]}}]}\n\n`,
  reasoning: (text) => chunk([{ text, thought: true }]),
  padding: (padding) => event({ candidates: [], padding }),
  failed: (message) => event({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }),
  ended: ({ tokens = '7' } = {}) =>
    `data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":${tokens},"candidatesTokenCount":${tokens},"totalTokenCount":${tokens}}}\n\n`,
  beside: (huge) => [
    ['the name of the model', { modelVersion: huge, candidates: [] }],
    ['the name of a tool', { candidates: [{ content: { parts: [{ functionCall: { name: huge, args: {} } }] } }] }],
    [
      'the id of a call',
      { candidates: [{ content: { parts: [{ functionCall: { id: huge, name: 'look_up', args: {} } }] } }] },
    ],
    ['a finishReason', { candidates: [{ finishReason: huge }] }],
    ['a finishMessage', { candidates: [{ finishReason: 'STOP', finishMessage: huge }] }],
    ['a signature', { candidates: [{ content: { parts: [{ text: 'x', thought: true, thoughtSignature: huge }] } }] }],
  ],
};
