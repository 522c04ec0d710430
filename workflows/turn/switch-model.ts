import type { ErrorType } from '../../agent/errors/error';
import type { AgentState } from '../../agent/state/state';

/**
 * Failures after which another model may succeed. Not among them: a transcript that is too long (it has to become
 * shorter first) and a request that the server calls invalid (the next server would refuse it too).
 */
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

/** What follows when the model in use has failed for good: the next model, the agent's static answer, or the end. */
export function afterModelFailure({ manifest, model }: AgentState, errorType: string): 'next' | 'fallback' | 'fail' {
  if (!MOVES_ON.has(errorType) || manifest === undefined) return 'fail';
  if (model + 1 < manifest.models.length) return 'next';
  return manifest.fallbackAnswer === undefined ? 'fail' : 'fallback';
}
