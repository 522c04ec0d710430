import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest } from '../../../agent/protocol/manifest';

/**
 * The manifest with the tools that a call sends. The concluding call keeps them, for the provider's cache, except for
 * small models: without tools they write a text, whatever they make of `tool_choice`.
 */
export function withSentTools(manifest: Manifest, { toolChoice }: Pick<CallModelInput, 'toolChoice'>): Manifest {
  return toolChoice === 'none' && manifest.modelClass === 'small' ? { ...manifest, tools: [] } : manifest;
}
