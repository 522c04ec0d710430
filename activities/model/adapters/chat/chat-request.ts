import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelRequest } from '../../../../agent/model/adapter';
import { chatMessages } from '../../../../agent/model/chat/chat-messages';
import { stillImages } from '../../request/still-images';
import { CALL_ID, type CallId, callIdBehind, withCallIds } from '../call-ids';

/** OpenAI, also at Azure. */
const OPENAI = /^https:\/\/[^/]*\.openai\.(com|azure\.com)[/:]/;
/** It takes addresses where OpenAI takes only the content. */
const OPENROUTER = /^https:\/\/[^/]*\bopenrouter\.ai[/:]/;
const MISTRAL = /^https:\/\/[^/]*\.mistral\.ai[/:]/;

/** The body of a request to a server with OpenAI's chat completions. */
export function chatRequest(asked: ModelRequest, baseUrl: string): ChatCompletionCreateParamsStreaming {
  const { model, system, tools, toolChoice, parallelToolCalls, output, settings } = asked;
  const opensFiles = OPENROUTER.test(`${baseUrl}/`);
  const shown = OPENAI.test(`${baseUrl}/`) ? stillImages(asked.messages) : asked.messages;
  const messages = chatMessages(withCallIds(shown, callIdAt(baseUrl, model)), { opensFiles });
  if (system !== undefined) messages.unshift({ role: 'system', content: system });
  const request: ChatCompletionCreateParamsStreaming = {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  };
  if (tools.length > 0) {
    request.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
    if (toolChoice !== undefined) {
      request.tool_choice =
        typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.tool } };
    }
    if (parallelToolCalls !== undefined) request.parallel_tool_calls = parallelToolCalls;
  }
  if (output?.type === 'schema') {
    request.response_format = {
      type: 'json_schema',
      json_schema: { name: 'output', schema: output.schema, strict: false },
    };
  } else if (output?.type === 'json_object') request.response_format = { type: 'json_object' };
  const { temperature, topP, maxTokens, stop, seed, reasoningEffort, serviceTier, extraBody } = settings;
  if (temperature !== undefined) request.temperature = temperature;
  if (topP !== undefined) request.top_p = topP;
  if (stop !== undefined) request.stop = [...stop];
  if (seed !== undefined) request.seed = seed;
  // Servers have words of their own beside OpenAI's.
  if (reasoningEffort !== undefined) Object.assign(request, { reasoning_effort: reasoningEffort });
  if (serviceTier !== undefined) Object.assign(request, { service_tier: serviceTier });
  if (maxTokens !== undefined) {
    // OpenAI's newer models reject the old name; most other servers know only that one.
    request[OPENAI.test(`${baseUrl}/`) ? 'max_completion_tokens' : 'max_tokens'] = maxTokens;
  }
  const body = Object.assign(request, extraBody);
  // Servers refuse options of a stream where none is asked for.
  if (body.stream !== true && extraBody?.stream_options === undefined) delete body.stream_options;
  return body;
}

/** Some models know a call by the form of their own ids: those stay as they are. */
function callIdAt(baseUrl: string, model: string): CallId | undefined {
  if (OPENAI.test(`${baseUrl}/`)) return CALL_ID.chat;
  return MISTRAL.test(`${baseUrl}/`) ? CALL_ID.mistral : callIdBehind(model);
}
