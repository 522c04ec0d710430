import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { chatMessages } from '../../../agent/model/chat/chat-messages';
import type { ModelConfig } from '../../../agent/model/config';
import type { Message } from '../../../agent/model/message';
import type { JsonSchema, ToolSpec } from '../../../agent/protocol/manifest';
import { echoFor } from '../answer/provider-data';
import { type MediaMask, maskMedia } from './mask-media';

export interface RequestArgs {
  config: ModelConfig;
  system?: string | null | undefined;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** JSON Schema of the agent's output. */
  output?: JsonSchema | undefined;
  /** `none`: the tools stay in the request, for the provider's cache, but may not be called. */
  toolChoice?: 'none' | undefined;
  /** `false` asks for one call at a time. */
  parallelToolCalls?: boolean | undefined;
  /** Number of the call about to be made, from 1: media that earlier calls showed are masked. */
  call: number;
  /** Default: media are shown once. */
  mask?: MediaMask | undefined;
}

/** The body of the request. Pure: the same arguments give the same request. */
export function buildRequest(args: RequestArgs): ChatCompletionCreateParamsStreaming {
  const { config, system, tools, output } = args;
  const modelNames = new Map(tools.map((tool) => [tool.name, tool.modelName]));
  const messages = chatMessages({
    messages: maskMedia(args.messages, args.call, args.mask),
    modelNames,
    echo: ({ providerData }) => echoFor(config, providerData),
  });
  if (system) messages.unshift({ role: 'system', content: system });
  const request: ChatCompletionCreateParamsStreaming = {
    model: config.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  };
  if (tools.length > 0) {
    request.tools = tools.map(({ modelName, description, inputSchema }) => ({
      type: 'function',
      function: { name: modelName, description, parameters: withoutDialect(inputSchema) },
    }));
    if (args.toolChoice !== undefined) request.tool_choice = args.toolChoice;
    // Servers reject the field in a request without tools.
    if (args.parallelToolCalls !== undefined) request.parallel_tool_calls = args.parallelToolCalls;
  }
  if (output !== undefined) {
    request.response_format = {
      type: 'json_schema',
      json_schema: { name: 'output', schema: withoutDialect(output), strict: false },
    };
  }
  if (config.temperature !== undefined) request.temperature = config.temperature;
  if (config.maxTokens !== undefined) {
    // OpenAI's newer models reject the old name; most other servers know only that one.
    const field = /^https:\/\/[^/]*\.openai\.(com|azure\.com)[/:]/.test(`${config.baseUrl}/`)
      ? 'max_completion_tokens'
      : 'max_tokens';
    request[field] = config.maxTokens;
  }
  return request;
}

/** Gemini's endpoint rejects a schema that names its dialect. */
function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
