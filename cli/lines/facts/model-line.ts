import { functionText } from '../../../agent/model/names/function-name';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { outageOfFact, outageText } from '../../../agent/state/outage-text';
import { visibleName } from '../../../agent/values/visible';
import { spoken } from '../../show/table';

type ModelFact = Extract<Fact, { type: `model.${string}` }>;

/** The text of a fact about the models of a run. */
export function modelLine(fact: ModelFact): string {
  switch (fact.type) {
    case 'model.waiting':
      return outageText(outageOfFact(fact));
    case 'model.retried':
      return `${fact.model} is asked at once${fact.by === undefined ? '' : `, by ${fact.by}`}`;
    case 'model.downgraded':
      return `${fact.model} is asked for JSON by ${JSON_WAY[fact.to]}, its server refused ${JSON_WAY[fact.from]}: ${fact.why}`;
    case 'model.switched':
      return `${fact.to} takes over from ${fact.from}${switchReason(fact)}`;
    case 'model.fallback':
      return `the static answer is used instead of a model: ${failure(fact)}`;
  }
}

/** An exchange has ended because its model gave no answer for as long as the run waits. `since`: the first wait. */
export function gaveUpText(since: number, now: number): string {
  const waited = spoken(Math.max(1000, Math.round((now - since) / 1000) * 1000));
  return `The run has waited ${waited} for the model and gives up. Your message is kept: type /regenerate to have it answered, or /model <alias> first to use another model.`;
}

/** How a model is asked for JSON. */
export const JSON_WAY = { schema: 'a schema', json_object: '`json_object`', prompt: 'the system prompt' } as const;

/** A model with its provider, and the adapter that speaks with it. */
export function modelText({ model, address, adapter }: { model: string; address: string; adapter: string }): string {
  if (adapter === 'function') return `${model} by ${functionText(address)}`;
  return `${model} at ${address} (${adapter})`;
}

/** Workers before this version told only of models that failed, without `why`. */
function switchReason(fact: Extract<ModelFact, { type: 'model.switched' }>): string {
  return fact.why === 'chosen' ? `, as ${by(fact)} chose` : `: ${failure(fact)}`;
}

function by({ by }: { by?: string }): string {
  return by === undefined ? 'a person' : visibleName(by);
}

function failure({ error: { type, message } }: { error: { type: string; message: string } }): string {
  return `${type}, ${message}`;
}
