import { isAdapted, type ModelConfig } from '../../../agent/model/config';
import type { StructuredOutput } from '../../../agent/model/structured-output';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import { isOnly, kindsOf } from '../../output/schema-kinds';
import { structuredOutputOf } from '../adapters/adapter-for';
import type { Refusal } from './refusals';

/** What a server may refuse, and is then asked for in another way. */
export interface Terms {
  /** How the model is asked for JSON. */
  structuredOutput: StructuredOutput;
  /** Schemas name their dialect, with `$schema`. */
  namesDialect: boolean;
  /** Calls that other models made are sent as calls, and otherwise as text. */
  callsOfOthers: boolean;
}

/** From the best to the one that every server accepts. */
const WAYS: readonly StructuredOutput[] = ['schema', 'json_object', 'prompt'];

/** Models whose servers have refused schemas that name their dialect. It changes nothing in what a model answers. */
const withoutDialects = new WeakSet<ModelConfig>();

/** Models that want the thought, or the signature, that led to each call. A call of another model has none. */
const wantingThoughts = new WeakSet<ModelConfig>();

/** Gemini's endpoints refuse schemas that name their dialect, and so do some gateways in front of it. */
const GEMINI = /^https?:\/\/[^/]*\bgoogleapis\.com[/:]/;

/**
 * The terms of the first request of a call.
 * @param downgraded how the server had to be asked earlier in the run
 */
export function firstTerms(config: ModelConfig, output: JsonSchema | undefined, downgraded?: StructuredOutput): Terms {
  const chosen = structuredOutputOf(config);
  const way = WAYS[Math.max(WAYS.indexOf(chosen), downgraded === undefined ? 0 : WAYS.indexOf(downgraded))] ?? 'prompt';
  const refuses = withoutDialects.has(config) || (!isAdapted(config) && GEMINI.test(`${config.baseUrl}/`));
  return {
    structuredOutput: possible(way, output),
    namesDialect: !refuses,
    callsOfOthers: !wantingThoughts.has(config),
  };
}

/** The terms of the next request, after the server refused one; `undefined` if no other way is left. */
export function easierTerms(
  refusal: Refusal,
  terms: Terms,
  { config, output }: { config: ModelConfig; output?: JsonSchema | undefined },
): Terms | undefined {
  if (terms.namesDialect && refusal.dialect) {
    withoutDialects.add(config);
    return { ...terms, namesDialect: false };
  }
  if (terms.callsOfOthers && refusal.thoughts) {
    wantingThoughts.add(config);
    return { ...terms, callsOfOthers: false };
  }
  const next = WAYS[WAYS.indexOf(terms.structuredOutput) + 1];
  if (output === undefined || next === undefined || !refusal.output) return undefined;
  return { ...terms, structuredOutput: possible(next, output) };
}

/** `json_object` asks for an object: a model cannot answer with a list or a text then. */
function possible(way: StructuredOutput, output: JsonSchema | undefined): StructuredOutput {
  return way === 'json_object' && output !== undefined && !isOnly(kindsOf(output), 'object') ? 'prompt' : way;
}
