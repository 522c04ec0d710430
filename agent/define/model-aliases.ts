import type { AgentDefinition } from './agent-definition';

/** All aliases of models that an agent names: those that answer, and the one that writes summaries. */
export function modelAliases({ model = 'default', context }: Pick<AgentDefinition, 'model' | 'context'>): string[] {
  return [model, context?.model ?? []].flat();
}
