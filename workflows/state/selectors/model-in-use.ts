import type { StructuredOutput } from '../../../agent/model/structured-output';
import type { AgentState } from '../../../agent/state/state';

/** Alias of the model in use. */
export function modelInUse({ manifest, model }: AgentState): string {
  return manifest?.models[model] ?? 'default';
}

/** How the model in use is asked for JSON, if its server refused a better way. */
export function downgradeInUse(state: AgentState): StructuredOutput | undefined {
  const { downgrades = {} } = state;
  const alias = modelInUse(state);
  // An alias may be called `constructor`.
  return Object.hasOwn(downgrades, alias) ? downgrades[alias] : undefined;
}
