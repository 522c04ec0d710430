import { analyseAnswer, claimOf } from '../../agent/analysis/analyse-answer';
import type { ModelAnswer } from '../../agent/model/answer';
import { textOf } from '../../agent/model/message';
import { noAnswer } from '../../agent/prompts/breakers';
import { NO_BREAKERS } from '../../agent/state/breaker-state';
import type { AgentState } from '../../agent/state/state';
import type { Json } from '../../agent/values/json';
import type { Nudge } from '../state/reducers/progress/breakers';

/**
 * Whether the model is asked to go on after an answer without calls: it is empty, stops too early, avoids the work, or
 * claims a change that no call made. A concluding answer is taken as it is.
 */
export function judgeAnswer(state: AgentState, answer: ModelAnswer): Nudge | undefined {
  const { manifest, concluding, steers } = state;
  if (manifest === undefined || concluding || steers.length > 0) return undefined;
  if (isEmpty(answer)) return manifest.breakers?.emptyAnswers === 'nudge' ? { why: 'empty' } : undefined;
  return isText(state, answer) ? findingOf(state, textOf(answer)) : undefined;
}

function isEmpty(answer: ModelAnswer): boolean {
  return textOf(answer).trim() === '';
}

/**
 * Only whole texts are analysed. An answer with an output schema is data, and an agent with `task_completion` gives no
 * result by text.
 */
function isText({ manifest }: AgentState, { finishReason }: ModelAnswer): boolean {
  return finishReason !== 'length' && manifest?.output === undefined && manifest?.completes === undefined;
}

function findingOf({ manifest, breakers = NO_BREAKERS }: AgentState, text: string): Nudge | undefined {
  const { analysis, tools = [] } = manifest ?? {};
  if (analysis === undefined) return undefined;
  const found = analyseAnswer(text, analysis.tables, breakers);
  if (found !== undefined) return found;
  const mayClaim = analysis.claims === true && breakers.changes === 0 && breakers.unchanged === 0;
  if (!mayClaim || !tools.some(({ kind, effect }) => kind !== 'loop' && effect !== 'read')) return undefined;
  const sign = claimOf(text, analysis.tables);
  return sign === undefined ? undefined : { why: 'unchanged', sign };
}

/** What takes the place of a concluding answer without text; `undefined` where the answer is judged as it is. */
export function replacementOf({ manifest, concluding }: AgentState, answer: ModelAnswer): Json | undefined {
  if (manifest?.breakers?.emptyAnswers !== 'nudge' || !concluding || !isEmpty(answer)) return undefined;
  // A text of ours fits neither a schema nor an outputBuilder.
  return manifest.fallbackAnswer ?? (manifest.checksOutput ? undefined : noAnswer());
}
