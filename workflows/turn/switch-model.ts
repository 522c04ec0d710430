import type { ErrorType } from '../../agent/errors/error';
import type { NearlyFull } from '../../agent/protocol/calls/model-call';
import { decidesSince, SINCE } from '../../agent/protocol/decisions';
import type { AgentState } from '../../agent/state/state';
import { modelChain } from '../state/selectors/model-in-use';

/** Failures after which another model may succeed. */
const MOVES_ON: ReadonlySet<string> = new Set<ErrorType>([
  'Refused',
  'ModelNotFound',
  'ModelUnauthorized',
  'ModelQuotaExceeded',
  'ModelRateLimited',
  'ModelUnavailable',
  'ModelAnswerUnreadable',
  'ModelAnswerTooLarge',
  'ModelAnswerTooSlow',
  'UnknownModel',
]);

/** The same for what one model cannot take, and the next one may: another window, other settings, images or tools. */
const UNFIT: ReadonlySet<string> = new Set<ErrorType>(['ModelContextTooLong', 'ModelRequestInvalid']);

/** What follows when the model in use has failed for good: the next model, the agent's static answer, or the end. */
export function afterModelFailure(state: AgentState, errorType: string): 'next' | 'fallback' | 'fail' {
  const { manifest, model } = state;
  if (manifest === undefined || !movesOn(state, errorType)) return 'fail';
  if (model + 1 < manifest.models.length) return 'next';
  return manifest.fallbackAnswer === undefined ? 'fail' : 'fallback';
}

function movesOn(state: AgentState, errorType: string): boolean {
  return MOVES_ON.has(errorType) || (UNFIT.has(errorType) && decidesSince(state, SINCE.movesOnUnfit));
}

/** Whether a model behind the one in use has a larger window than that which is almost full. */
export function hasLargerWindow(state: AgentState, { window }: NearlyFull): boolean {
  if (window === undefined || !decidesSince(state, SINCE.movesOnFull)) return false;
  const { modelSpecs = {} } = state.manifest ?? {};
  const behind = modelChain(state).slice(state.model + 1);
  return behind.some((alias) => Object.hasOwn(modelSpecs, alias) && (modelSpecs[alias]?.contextWindow ?? 0) > window);
}
