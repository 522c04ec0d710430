import type { PriceSpec } from '../../../agent/budget/price-spec';
import { MODEL_PATIENCE } from '../../../agent/limits';
import type { StructuredOutput } from '../../../agent/model/structured-output';
import type { AgentState } from '../../../agent/state/state';
import type { Purpose } from '../../../agent/strategy/call-purpose';

type InUse = Pick<AgentState, 'manifest' | 'model' | 'chosen'>;

/** Alias of the model in use. */
export function modelInUse(state: InUse): string {
  return modelChain(state)[state.model] ?? 'default';
}

/** Alias of the model that is asked for a purpose. */
export function modelFor(state: InUse, purpose: Purpose): string {
  return state.manifest?.purposes?.[purpose] ?? modelInUse(state);
}

/** Aliases of the chain, with the one that a person chose in its place. */
export function modelChain({ manifest, chosen }: Pick<InUse, 'manifest' | 'chosen'>): string[] {
  const models = manifest?.models ?? [];
  return chosen === undefined ? models : models.map((alias, place) => (place === chosen.at ? chosen.alias : alias));
}

/** Whether another model, or a static answer, follows the model in use. */
export function takesOver({ manifest, model }: InUse): boolean {
  return manifest !== undefined && (model + 1 < manifest.models.length || manifest.fallbackAnswer !== undefined);
}

/** Milliseconds that the run waits for the model in use while it does not answer. */
export function modelPatience(state: InUse): number {
  const { manifest, model, chosen } = state;
  const pinned = manifest?.modelPatience?.[modelInUse(state)];
  if (pinned !== undefined || chosen?.at !== model) return pinned ?? 0;
  return chosen.patience ?? (takesOver(state) ? MODEL_PATIENCE.followed : MODEL_PATIENCE.alone);
}

/** Whether a model that the run may ask has to call a tool before it answers. The call itself knows whether it is its own. */
export function forcesCall({ manifest, chosen }: Pick<InUse, 'manifest' | 'chosen'>): boolean {
  return manifest?.forcesCall === true || chosen?.forcesCall === true;
}

/** The prices of a model, as far as the run knows them. */
export function pricesOf(
  { manifest, chosen }: Pick<InUse, 'manifest' | 'chosen'>,
  alias: string,
): PriceSpec | undefined {
  if (chosen?.alias === alias && chosen.prices !== undefined) return chosen.prices;
  const { prices = {} } = manifest ?? {};
  return Object.hasOwn(prices, alias) ? prices[alias] : undefined;
}

/** How a model is asked for JSON, if its server refused a better way. */
export function downgradeOf({ downgrades = {} }: AgentState, alias: string): StructuredOutput | undefined {
  // An alias may be called `constructor`.
  return Object.hasOwn(downgrades, alias) ? downgrades[alias] : undefined;
}
