import type { Json, JsonObject } from '../../../../agent/values/json';
import type { ResponseStep } from './response-server';

/** An event of a stream. */
export const event = (type: string, fields: JsonObject = {}): JsonObject => ({ type: `response.${type}`, ...fields });
/** The last event, with the whole response. */
export const done = (fields: JsonObject = {}, status = 'completed') =>
  event(status, { response: { status, model: 'm-2026', output: [], error: null, ...fields } });
export const message = (...content: Json[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content,
});
export const said = (text: string): JsonObject => ({ type: 'output_text', text });
export const call = (fields: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look_up',
  arguments: '{"q":"x"}',
  ...fields,
});

/** An answer with reasoning, text and calls. */
export const streamed: ResponseStep = {
  events: [
    event('created', { response: { status: 'in_progress', model: 'm-2026', output: [] } }),
    event('output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } }),
    event('reasoning_summary_part.added', { output_index: 0, summary_index: 0 }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'First ' }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'this' }),
    event('reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'then that' }),
    event('output_item.done', {
      output_index: 0,
      item: {
        type: 'reasoning',
        id: 'rs_1',
        status: 'completed',
        encrypted_content: 'gAAA',
        summary: [
          { type: 'summary_text', text: 'First this' },
          { type: 'summary_text', text: 'then that' },
        ],
      },
    }),
    event('output_item.added', { output_index: 1, item: message() }),
    event('output_text.delta', { output_index: 1, item_id: 'msg_1', delta: 'I ' }),
    event('output_text.delta', { output_index: 1, item_id: 'msg_1', delta: 'look.' }),
    event('output_item.done', { output_index: 1, item: { ...message(said('I look.')), phase: 'commentary' } }),
    event('output_item.added', { output_index: 2, item: call({ arguments: '' }) }),
    event('output_item.added', { output_index: 3, item: call({ id: 'fc_2', call_id: 'call_2', arguments: '' }) }),
    event('function_call_arguments.delta', { output_index: 2, item_id: 'fc_1', delta: '{"q":' }),
    event('function_call_arguments.delta', { output_index: 3, item_id: 'fc_2', delta: '{"q":"y"}' }),
    event('function_call_arguments.delta', { output_index: 2, item_id: 'fc_1', delta: '"x"}' }),
    event('output_item.done', { output_index: 2, item: call() }),
    event('output_item.done', { output_index: 3, item: call({ id: 'fc_2', call_id: 'call_2' }) }),
    done({
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 6,
        output_tokens_details: { reasoning_tokens: 3 },
      },
    }),
  ],
};
