import type { ModelAdapter } from '../../../agent/model/adapter';
import { isAdapted, type ModelConfig } from '../../../agent/model/config';
import type { ModelSpec } from '../../../agent/model/model-spec';
import { chatAdapter } from './chat/chat-adapter';
import { responsesAdapter } from './responses/responses-adapter';

/** What a run pins of a model. */
export function modelSpec(config: ModelConfig): ModelSpec {
  return { adapter: adapterFor(config).kind, model: config.model };
}

const adapters = new WeakMap<ModelConfig, ModelAdapter>();

/** What speaks with a model's provider. */
export function adapterFor(config: ModelConfig): ModelAdapter {
  if (isAdapted(config)) return config.adapter;
  const adapter = adapters.get(config) ?? (config.api === 'responses' ? responsesAdapter : chatAdapter)(config);
  adapters.set(config, adapter);
  return adapter;
}
