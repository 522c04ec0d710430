import type { ModelAdapter } from '../../../agent/model/adapter';
import { isAdapted, type ModelConfig } from '../../../agent/model/config';
import type { ModelCapabilities, ModelSpec } from '../../../agent/model/model-spec';
import type { StructuredOutput } from '../../../agent/model/structured-output';
import { defined } from '../../../agent/values/defined';
import { remembered } from '../../../agent/values/remembered';
import { chatAdapter } from './chat/chat-adapter';
import { responsesAdapter } from './responses/responses-adapter';

/** What a run pins of a model. */
export function modelSpec(config: ModelConfig): ModelSpec {
  const { model, contextWindow } = config;
  return {
    adapter: adapterFor(config).kind,
    model,
    capabilities: capabilitiesOf(config),
    ...defined({ contextWindow }),
  };
}

/** What can be asked of a model. */
export function capabilitiesOf(config: ModelConfig): ModelCapabilities {
  const { unsent = [], marksPrefixes = false } = adapterFor(config);
  return {
    structuredOutput: structuredOutputOf(config),
    ...(unsent.length === 0 ? {} : { unsent: [...unsent] }),
    ...(marksPrefixes ? { marksPrefixes } : {}),
  };
}

/** How a model is asked for JSON, as long as its server does not refuse it. */
export function structuredOutputOf(config: ModelConfig): StructuredOutput {
  return config.structuredOutput ?? adapterFor(config).structuredOutput ?? 'schema';
}

/** What speaks with a model's provider. */
export const adapterFor = remembered((config: ModelConfig): ModelAdapter => {
  if (isAdapted(config)) return config.adapter;
  return config.api === 'responses' ? responsesAdapter(config) : chatAdapter(config);
});
