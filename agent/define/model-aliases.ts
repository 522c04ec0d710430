import type { AgentDefinition } from './agent-definition';

type WithModels = Pick<AgentDefinition, 'model' | 'models' | 'context'>;

/** Aliases of the models with a purpose of their own, `context.model` included. */
export function purposeModels({ models, context }: WithModels): NonNullable<AgentDefinition['models']> {
  const summary = models?.summary ?? context?.model;
  return { ...models, ...(summary === undefined ? {} : { summary }) };
}

/** All aliases of models that an agent names: those that answer, and those with a purpose of their own. */
export function modelAliases(definition: WithModels): string[] {
  const { model = 'default' } = definition;
  return [...new Set([model, ...Object.values(purposeModels(definition))].flat())];
}
