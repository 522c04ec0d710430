import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import type { ModelRequest } from '../../../../agent/model/adapter';
import { stillImages } from '../../request/still-images';
import { CALL_ID, withCallIds } from '../call-ids';
import { inputItems } from './input-items';

/** Models of OpenAI that do not reason. They refuse a request for encrypted reasoning. */
const WITHOUT_REASONING = /(^|[/:])(gpt-[34]|chatgpt-)|-chat(-|$)/;

/** The body of a request to a server with OpenAI's Responses. Nothing is stored there: each request has all of it. */
export function responsesRequest(asked: ModelRequest): ResponseCreateParamsStreaming {
  const { model, system, messages, tools, toolChoice, parallelToolCalls, output, settings } = asked;
  const input = inputItems(withCallIds(stillImages(messages), CALL_ID.responses));
  const request: ResponseCreateParamsStreaming = { model, input, stream: true, store: false };
  if (!WITHOUT_REASONING.test(model)) request.include = ['reasoning.encrypted_content'];
  if (system !== undefined) request.instructions = system;
  if (tools.length > 0) {
    request.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }));
    if (toolChoice !== undefined) {
      request.tool_choice = typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.tool };
    }
    if (parallelToolCalls !== undefined) request.parallel_tool_calls = parallelToolCalls;
  }
  if (output?.type === 'schema') {
    request.text = { format: { type: 'json_schema', name: 'output', schema: output.schema, strict: false } };
  } else if (output?.type === 'json_object') request.text = { format: { type: 'json_object' } };
  const { temperature, topP, maxTokens, reasoningEffort, serviceTier, extraBody } = settings;
  if (temperature !== undefined) request.temperature = temperature;
  if (topP !== undefined) request.top_p = topP;
  if (maxTokens !== undefined) request.max_output_tokens = maxTokens;
  // Servers have words of their own beside OpenAI's.
  if (reasoningEffort !== undefined) Object.assign(request, { reasoning: { effort: reasoningEffort } });
  if (serviceTier !== undefined) Object.assign(request, { service_tier: serviceTier });
  return Object.assign(request, extraBody);
}
