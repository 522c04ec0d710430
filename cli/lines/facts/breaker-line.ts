import type { Deflection } from '../../../agent/analysis/tables';
import type { BreakerFact } from '../../../agent/protocol/facts/breaker-fact';

/** The text of a fact about a model that makes no progress. */
export function breakerLine(fact: BreakerFact): string {
  switch (fact.type) {
    case 'answer.nudged':
      return `turn ${fact.turn}: ${nudgeText(fact)}, and the model is asked to go on (${fact.number})`;
    case 'answer.replaced':
      return `turn ${fact.turn}: the model gave no answer, this text takes its place: ${fact.text}`;
    case 'breaker.skipped':
      return `${fact.toolUseId} ${fact.name}: the model made the same call before, and it is not run again`;
    case 'breaker.failing':
      return `${fact.name} failed ${fact.times} times in a row with the same arguments, and the model is told`;
    case 'breaker.withdrawn':
      return `${fact.name} failed ${fact.times} times in a row and is withdrawn`;
    case 'breaker.hinted':
      return `all calls of ${fact.rounds} answers in a row failed, and the model is told which tools there are`;
    case 'breaker.stopped':
      return `the model ${fact.why === 'silent' ? 'gives no answer' : 'repeats a call'} and has to conclude`;
    case 'tool.repaired':
      return `${fact.toolUseId} ${fact.name}: the model wrote ${fact.from} (${fact.how})`;
  }
}

type Nudged = Extract<BreakerFact, { type: 'answer.nudged' }>;

function nudgeText(fact: Nudged): string {
  switch (fact.why) {
    case 'empty':
      return 'the answer was empty';
    case 'incomplete':
      return `the answer stops too early: ${fact.sign}`;
    case 'deflecting':
      return `the answer ${DOES[fact.family]}: ${fact.sign}`;
    case 'unchanged':
      return `the answer claims a change that no call made: ${fact.sign}`;
  }
}

const DOES: { readonly [Family in Deflection]: string } = {
  refuses: 'refuses',
  asks: 'asks the user',
  handsBack: 'hands the work back',
  narrates: 'tells what it sees in place of acting',
};
