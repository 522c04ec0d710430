import type { ModelSettings } from './settings';
import type { StructuredOutput } from './structured-output';

/**
 * The settings that a run pins. `parallelToolCalls` has its own field. Headers may contain keys, so the worker reads
 * them from the agent's definition.
 */
export type PinnedSettings = Omit<ModelSettings, 'parallelToolCalls' | 'extraHeaders'>;

/** What can be asked of a model through its adapter. */
export interface ModelCapabilities {
  /** How it is asked for JSON, as long as its server does not refuse it. */
  structuredOutput: StructuredOutput;
  /** Settings that its adapter cannot send. Missing: none. */
  unsent?: string[];
  /** The prefixes of its requests are marked for the provider's cache. Missing: the provider finds them itself. */
  marksPrefixes?: true;
}

/** What a run pins of a model: how its provider was reached when the run started. */
export interface ModelSpec {
  /** The kind of adapter, such as `chat`, `responses` or `function`. */
  adapter: string;
  /** The provider's name of the model. */
  model: string;
  /** What could be asked of it. Missing: a worker of an earlier version did not say. */
  capabilities?: ModelCapabilities;
  /** Tokens that fit into one call. Missing: unknown. */
  contextWindow?: number;
}
