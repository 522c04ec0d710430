import type { ModelSettings } from './settings';

/**
 * The settings that a run pins. `parallelToolCalls` has its own field. Headers may contain keys, so the worker reads
 * them from the agent's definition.
 */
export type PinnedSettings = Omit<ModelSettings, 'parallelToolCalls' | 'extraHeaders'>;

/** What a run pins of a model: how its provider was reached when the run started. */
export interface ModelSpec {
  /** The kind of adapter, such as `chat`, `responses` or `function`. */
  adapter: string;
  /** The provider's name of the model. */
  model: string;
}
