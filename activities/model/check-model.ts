import type { ModelConfig } from '../../agent/model/config';
import { isForced } from '../../agent/model/tool-choice';
import type { CheckModelInput, CheckModelResult } from '../../agent/protocol/commands/model-switch';
import { defined } from '../../agent/values/defined';
import { agentAtHand } from '../failures/missing';
import type { Registry } from '../registry';
import { priceSpec } from './budget/price-specs';
import { failedCall } from './wake-call';

export interface CheckModelDeps {
  registry: Registry;
  /** By alias. */
  models: Readonly<Record<string, Pick<ModelConfig, 'patience' | 'prices' | 'model' | 'toolChoice'>>>;
}

/** Makes the activity `holdfast.checkModel`: whether this worker has a model that a person wants a run to use. */
export function createCheckModel({
  registry,
  models,
}: CheckModelDeps): (input: CheckModelInput) => Promise<CheckModelResult> {
  return async ({ alias, inCall }) => {
    // A worker of another project may poll the queue, too: its models are not those of the run.
    agentAtHand(registry);
    const config = Object.hasOwn(models, alias) ? models[alias] : undefined;
    if (config === undefined) return { ok: false, known: Object.keys(models) };
    const forcesCall = isForced(config.toolChoice) || undefined;
    const call = inCall ? await failedCall() : undefined;
    const waits = call?.isBeingMade === false ? { callWaits: true as const, ...defined({ spent: call.spent }) } : {};
    return { ok: true, ...defined({ patience: config.patience, prices: priceSpec(config), forcesCall }), ...waits };
  };
}
