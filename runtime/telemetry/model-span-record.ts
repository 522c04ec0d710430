import type { ModelAnswer } from '../../agent/model/answer';
import { isAdapted, type ModelConfig } from '../../agent/model/config';
import type { Money } from '../../agent/model/cost/money';
import type { Usage } from '../../agent/model/cost/usage';
import type { Message } from '../../agent/model/message';
import { toolChoiceFor } from '../../agent/model/tool-choice';
import type { CallModelInput } from '../../agent/protocol/calls/model-call';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { SpanError } from '../../agent/protocol/span';
import { below, SPAN_KEY, type TraceContext } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { shownSettings } from '../secrets/settings-secrets';
import { modelMessages } from './model-messages';
import { toolDefinitions, toolSchemas } from './model-tools';
import { type Subject, subjectAttributes } from './run-span-record';
import type { SpanRecord } from './span-record';

/** One request of an attempt at a model call, successful or not. */
export interface ModelAttempt {
  subject: Subject;
  call: Pick<CallModelInput, 'turn' | 'model' | 'toolChoice' | 'uncalled'>;
  /** The call's id, the attempt and the number of the request within it, from which the span's id is made. */
  callId: string;
  attempt: number;
  request: number;
  /** Missing if the alias is unknown. */
  config?: ModelConfig | undefined;
  system?: string | undefined;
  messages: readonly Message[];
  /** The tools of the agent. */
  tools: readonly ToolSpec[];
  start: number;
  end: number;
  answer?: ModelAnswer;
  /** Of a failed call: the provider's name of the model, and the cost. */
  model?: string;
  usage?: Usage;
  executionUnits?: number;
  cost?: Money;
  error?: SpanError;
}

/** The trace context of the span of one request. */
export function modelPlace(
  run: TraceContext,
  { callId, attempt, request }: Pick<ModelAttempt, 'callId' | 'attempt' | 'request'>,
) {
  return below(run, SPAN_KEY.llm(callId, attempt, request));
}

/** The span of one request of a model call. */
export function modelSpanRecord(run: TraceContext, made: ModelAttempt): SpanRecord {
  const { subject, call, attempt, config, answer, start, end, error } = made;
  const { usage, executionUnits, cost } = answer ?? made;
  const model = answer?.model ?? made.model ?? config?.model ?? call.model;
  const server = config === undefined ? undefined : providerOf(config);
  return {
    place: modelPlace(run, made),
    parent: below(run, SPAN_KEY.turn(call.turn)).spanId,
    name: `chat ${config?.model ?? call.model}`,
    kind: 'client',
    start,
    end,
    ...defined({ error }),
    attributes: {
      'openinference.span.kind': 'LLM',
      ...subjectAttributes(subject),
      'llm.model_name': model,
      'llm.provider': server?.provider,
      'llm.invocation_parameters': parametersOf(config, made),
      'llm.token_count.prompt': usage?.prompt,
      'llm.token_count.completion': usage?.completion,
      'llm.token_count.total': usage && usage.prompt + usage.completion,
      'llm.token_count.prompt_details.cache_read': usage?.cached,
      'llm.token_count.prompt_details.cache_write': usage?.cacheWritten,
      'llm.token_count.completion_details.reasoning': usage?.reasoning,
      'llm.cost.total': cost?.amount,
      'holdfast.cost_currency': cost?.currency,
      'llm.finish_reason': answer?.finishReason,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': server?.provider,
      'gen_ai.request.model': config?.model ?? call.model,
      'gen_ai.request.temperature': config?.temperature,
      'gen_ai.request.top_p': config?.topP,
      'gen_ai.request.max_tokens': config?.maxTokens,
      'gen_ai.request.stop_sequences': config?.stop && [...config.stop],
      'gen_ai.request.seed': config?.seed,
      'gen_ai.response.model': answer?.model,
      'gen_ai.response.finish_reasons': answer && [answer.finishReason],
      'gen_ai.usage.input_tokens': usage?.prompt,
      'gen_ai.usage.output_tokens': usage?.completion,
      'gen_ai.usage.cache_read.input_tokens': usage?.cached,
      'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWritten,
      'server.address': server?.address,
      'server.port': server?.port,
      'holdfast.model': call.model,
      'holdfast.turn': call.turn,
      'holdfast.attempt': attempt,
      'holdfast.execution_units': executionUnits,
      'holdfast.usage_estimated': usage?.estimated,
    },
    // A span that is full loses its last attributes: tools are the same in every call.
    content: { ...toolDefinitions(made.tools), ...modelMessages(made), ...toolSchemas(made.tools) },
  };
}

/** Names for `gen_ai.provider.name`, by the end of the host; for others the host itself. */
const PROVIDERS: readonly (readonly [string, string])[] = [
  ['.openai.azure.com', 'azure.ai.openai'],
  ['api.openai.com', 'openai'],
  ['api.anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.deepseek.com', 'deepseek'],
  ['api.groq.com', 'groq'],
  ['api.x.ai', 'x_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cohere.com', 'cohere'],
];

/** Only host and port of the address: the rest may contain secrets. */
function providerOf(config: ModelConfig): { provider: string; address?: string; port?: number } | undefined {
  if (isAdapted(config)) return { provider: config.adapter.provider };
  const { baseUrl } = config;
  if (!URL.canParse(baseUrl)) return undefined;
  const { hostname: address, port } = new URL(baseUrl);
  const [, provider = address] = PROVIDERS.find(([host]) => address.endsWith(host)) ?? [];
  return { provider, address, ...(port === '' ? {} : { port: Number(port) }) };
}

/** The settings of the call by OpenAI's names; without secrets. */
function parametersOf(config: ModelConfig | undefined, { call, tools }: ModelAttempt): string | undefined {
  if (config === undefined) return undefined;
  const { parallelToolCalls, toolChoice: chosen } = config;
  const toolChoice = toolChoiceFor(chosen, {
    concludes: call.toolChoice === 'none',
    uncalled: call.uncalled === true,
    tools,
  });
  const { toolChoice: _, parallelToolCalls: __, ...settings } = shownSettings(config);
  const sent = { ...settings, ...(tools.length > 0 ? defined({ parallelToolCalls, toolChoice }) : {}) };
  const named = Object.entries(sent).map(([name, value]) => [snakeCase(name), value] as const);
  return named.length === 0 ? undefined : JSON.stringify(Object.fromEntries(named));
}

/** OpenAI's names of our settings are ours in snake case. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
