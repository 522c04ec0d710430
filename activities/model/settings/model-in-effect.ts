import type { ModelConfig } from '../../../agent/model/config';
import { type ModelSettings, mergeSettings } from '../../../agent/model/settings';
import type { Manifest } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';

/** An HTTP client belongs to a configuration: without this, each call would have a new one. */
const made = new WeakMap<ModelConfig, WeakMap<Manifest, ModelConfig>>();

/**
 * A model as it answers an agent: its configuration, with the settings of the agent before its own.
 * @param headers the agent's `extraHeaders`, which its manifest does not have
 */
export function modelInEffect(
  config: ModelConfig,
  manifest: Manifest,
  headers: ModelSettings['extraHeaders'],
): ModelConfig {
  const { modelSettings, parallelToolCalls } = manifest;
  const own = defined({ ...modelSettings, parallelToolCalls, extraHeaders: headers });
  if (Object.keys(own).length === 0) return config;
  const ofConfig = made.get(config) ?? new WeakMap<Manifest, ModelConfig>();
  const model = ofConfig.get(manifest) ?? { ...config, ...mergeSettings(config, own) };
  made.set(config, ofConfig.set(manifest, model));
  return model;
}
