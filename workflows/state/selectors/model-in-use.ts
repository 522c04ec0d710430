import type { AgentState } from '../../../agent/state/state';

/** Alias of the model in use. */
export function modelInUse({ manifest, model }: AgentState): string {
  return manifest?.models[model] ?? 'default';
}
