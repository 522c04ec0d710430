import type { Json, JsonObject } from '../../../agent/values/json';
import { anthropic, google } from './ai-sdk-apis';
import type { HostileApi } from './hostile-api';
import { deltaOf, ended, event } from './hostile-model';

const calls = (...list: Json[]) => ({ choices: [{ delta: { tool_calls: list } }] });

const chat: HostileApi = {
  name: 'chat completions',
  model: (baseUrl, options) => ({ baseUrl, model: 'm', ...options }),
  limit: '`maxAnswerBytes`',
  text: (content) => deltaOf({ content }),
  refusal: (refusal) => deltaOf({ refusal }),
  call: ({ index, id, name, arguments: args }) =>
    deltaOf({ tool_calls: [{ index, id, function: { name, arguments: args } }] }),
  reasoning: (reasoning) => deltaOf({ reasoning }),
  padding: (padding) => event({ choices: [], padding }),
  failed: (message) => event({ error: { message, code: 401 } }),
  ended: ({ calls, tokens } = {}) =>
    ended(calls ? 'tool_calls' : 'stop') +
    (tokens === undefined
      ? ''
      : `data: {"choices":[],"usage":{"prompt_tokens":${tokens},"completion_tokens":${tokens}}}\n\n`),
  whole: (content) => JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }),
  beside: (huge) => [
    ['the name of the model', { model: huge, choices: [] }],
    ['the name of a tool', calls({ index: 0, function: { name: huge, arguments: '{}' } })],
    ['the id of a call', calls({ index: 0, id: huge, function: { name: 'look_up' } })],
    ['a finish_reason', { choices: [{ delta: {}, finish_reason: huge }] }],
    ['a field', { choices: [{ delta: { other: huge } }] }],
    ['a field of a call', calls({ index: 0, function: { name: 'look_up' }, other: huge })],
  ],
};

const item = (index: number, fields: JsonObject) =>
  event({ type: 'response.output_item.done', output_index: index, item: fields as Json });
const response = (type: string, fields: JsonObject = {}) =>
  event({ type: `response.${type}`, response: { status: type, output: [], error: null, ...fields } });

const responses: HostileApi = {
  name: 'OpenAI Responses',
  model: (baseUrl, options) => ({ baseUrl, model: 'm', api: 'responses', ...options }),
  limit: '`maxAnswerBytes`',
  text: (delta) => event({ type: 'response.output_text.delta', output_index: 0, delta }),
  refusal: (delta) => event({ type: 'response.refusal.delta', output_index: 0, delta }),
  call: ({ index, id, name, arguments: args }) =>
    item(index + 1, { type: 'function_call', call_id: id, name, arguments: args }),
  reasoning: (delta) => event({ type: 'response.reasoning_summary_text.delta', output_index: 0, delta }),
  padding: (padding) => event({ type: 'response.in_progress', padding }),
  failed: (message) => event({ type: 'error', message, code: '401' }),
  ended: ({ tokens } = {}) =>
    response('completed') +
    (tokens === undefined
      ? ''
      : `data: {"type":"response.incomplete","response":{"status":"in_progress","usage":{"input_tokens":${tokens},"output_tokens":${tokens}}}}\n\n`),
  whole: (text) =>
    JSON.stringify({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', id: 'm', content: [{ type: 'output_text', text }] }],
    }),
  beside: (huge) => [
    ['the name of the model', { type: 'response.incomplete', response: { status: 'in_progress', model: huge } }],
    [
      'the name of a tool',
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', name: huge, arguments: '{}' },
      },
    ],
    [
      'the id of a call',
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'function_call', call_id: huge, name: 'look_up' },
      },
    ],
    [
      'a reason',
      { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason: huge } } },
    ],
    [
      'encrypted reasoning',
      { type: 'response.output_item.done', output_index: 1, item: { type: 'reasoning', encrypted_content: huge } },
    ],
    [
      'the id of a message',
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'message', id: huge, content: [{ type: 'output_text', text: 'x' }] },
      },
    ],
  ],
};

/** The APIs that hostile servers are tested with: the first by `npm test`, all of them by the proofs. */
export const APIS: readonly HostileApi[] =
  process.env.HOLDFAST_ALL_APIS === undefined ? [chat] : [chat, responses, anthropic, google];

/** For `describe.each`. */
export const EACH_API = APIS.map((api) => [api.name, api] as const);
