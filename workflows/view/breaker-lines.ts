import type { AgentState } from '../../agent/state/state';
import { code } from './code-text';

/** Tools that are named. */
const MAX_NAMED = 5;

/** Lines of the status page about a model that makes no progress; none while it does. */
export function breakerLines({ breakers }: AgentState): string[] {
  if (breakers === undefined) return [];
  const { failing, told, withdrawn, blockedRounds, failedRounds, empty, incomplete, deflecting, unchanged } = breakers;
  const nudges = [
    ...(empty > 0 ? [times(empty, 'since an answer was empty')] : []),
    ...(incomplete > 0 ? [times(incomplete, 'since it stopped too early')] : []),
    ...(deflecting > 0 ? [times(deflecting, 'since it avoided the work')] : []),
    ...(unchanged > 0 ? [times(unchanged, 'since it claimed a change')] : []),
  ];
  const named = withdrawn.slice(0, MAX_NAMED).map((name) => code(name));
  const more = withdrawn.length - named.length;
  return [
    ...(nudges.length > 0 ? [`model nudged ${nudges.join(', ')}`] : []),
    ...(told && failing.times > 0 ? [`the same call has failed ${failing.times} times in a row`] : []),
    ...(blockedRounds > 0 ? ['the model repeats calls, which are not run'] : []),
    ...(failedRounds > 1 ? [`all calls of ${failedRounds} answers in a row failed`] : []),
    ...(named.length > 0 ? [`withdrawn tools: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`] : []),
    ...(breakers.stop === undefined ? [] : ['the model has to conclude']),
  ].map((line) => `- breaker: ${line}`);
}

function times(count: number, why: string): string {
  return `${count === 1 ? 'once' : `${count} times`} ${why}`;
}
