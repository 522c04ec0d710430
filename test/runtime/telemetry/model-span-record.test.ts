import type { ModelConfig } from '../../../agent/model/config';
import { type ModelAttempt, modelSpanRecord } from '../../../runtime/telemetry/model-span-record';

import { toolSpec } from '../../workflows/state-data';

const RUN = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };
const config: ModelConfig = {
  ...{ baseUrl: 'https://api.openai.com/v1', model: 'm-1' },
  ...{ topP: 0.5, maxTokens: 9, stop: ['END'], seed: 3, toolChoice: 'required', parallelToolCalls: false },
  extraHeaders: { 'X-Key': 'abcd1234' },
  extraBody: { top_k: 4, api_key: 'hush-hush' },
};
const attributes = (more: Partial<ModelAttempt> = {}) =>
  modelSpanRecord(RUN, {
    ...{ subject: { id: 'run-1', agent: 'a.b' }, call: { turn: 1, model: 'fast', uncalled: true } },
    ...{ callId: 'call-1', attempt: 1, request: 1, config, messages: [], start: 0, end: 1 },
    tools: [toolSpec('look.up')],
    ...more,
  }).attributes;
const parameters = (more: Partial<ModelAttempt> = {}) =>
  JSON.parse(String(attributes(more)['llm.invocation_parameters'])) as object;

it('a span has the settings of its call by their names at OpenAI, without a secret', () => {
  expect(parameters()).toEqual({
    ...{ top_p: 0.5, max_tokens: 9, stop: ['END'], seed: 3, parallel_tool_calls: false, tool_choice: 'required' },
    ...{ extra_body: { top_k: 4, api_key: '***' }, extra_headers: { 'X-Key': '***' } },
  });
  expect(attributes()).toMatchObject({
    'gen_ai.request.top_p': 0.5,
    'gen_ai.request.max_tokens': 9,
    'gen_ai.request.stop_sequences': ['END'],
    'gen_ai.request.seed': 3,
  });
  expect(JSON.stringify(attributes())).not.toMatch(/abcd1234|hush/);
});

it('it has the tool choice that was sent, and none without tools', () => {
  expect(parameters({ call: { turn: 2, model: 'fast' } })).not.toHaveProperty('tool_choice');
  expect(parameters({ call: { turn: 2, model: 'fast', toolChoice: 'none' } })).toMatchObject({ tool_choice: 'none' });
  expect(parameters({ tools: [] })).not.toHaveProperty('parallel_tool_calls');
});

it('a model without settings has no parameters', () => {
  const plain: ModelConfig = { baseUrl: 'http://localhost:1/v1', model: 'm' };
  expect(attributes({ config: plain })['llm.invocation_parameters']).toBeUndefined();
  expect(attributes({ config: undefined })['llm.invocation_parameters']).toBeUndefined();
});

it('of a failed call it names the model that answered, as far as it did', () => {
  expect(attributes({ model: 'm-2025-04' })['llm.model_name']).toBe('m-2025-04');
});

it('it has the tokens of its own attempt, those of the cache too, and its money', () => {
  const usage = { prompt: 9, completion: 2, cached: 4, cacheWritten: 3, estimated: true } as const;
  expect(attributes({ usage, executionUnits: 0.5, cost: { amount: 0.5, currency: 'EUR' } })).toMatchObject({
    'llm.token_count.prompt_details.cache_read': 4,
    'llm.token_count.prompt_details.cache_write': 3,
    'gen_ai.usage.cache_creation.input_tokens': 3,
    'llm.cost.total': 0.5,
    'holdfast.cost_currency': 'EUR',
    'holdfast.usage_estimated': true,
  });
  expect(attributes({ usage, executionUnits: 11 })['llm.cost.total']).toBeUndefined();
});
