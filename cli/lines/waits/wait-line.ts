import type { FactBody } from '../../../agent/protocol/facts/fact';
import { visibleJson } from '../../../agent/values/visible';
import { DECIDED, LASTS } from '../../inbox/decision-words';
import { spentText } from '../spent-text';
import { answerCommand, approveCommand, completeCommand, whoMay } from './wait-commands';

type WaitFact = Extract<
  FactBody,
  { type: `approval.${string}` | `service.${string}` | 'message.ignored' | 'reply.failed' }
>;

/** The text of a fact about a wait. Time limits come before the arguments, which may be long. */
export function waitLine(fact: WaitFact): string {
  const call = 'name' in fact ? `${fact.toolUseId} ${fact.name}` : '';
  switch (fact.type) {
    case 'approval.requested': {
      const again = fact.repeats === undefined ? '' : `, repeats ${fact.repeats}, whose outcome is unknown`;
      const unread = fact.grantsUnread ? ', remembered decisions could not be read' : '';
      return `${call} waits for ${whoMay(fact.deciders)}${until(fact.expiresAt)}${again}${unread}: ${visibleJson(fact.input)}`;
    }
    case 'approval.decided': {
      const { decision, by, comment, remember = 'once', input } = fact;
      const args = input === undefined ? '' : ` ${visibleJson(input)}`;
      return `${call}: ${DECIDED[decision]} by ${by}${LASTS[remember]}${args}${comment === undefined ? '' : `, "${comment}"`}`;
    }
    case 'approval.remembered':
      return `${call}: ${fact.allowed ? 'approved' : 'denied'} as ${fact.by} decided at ${iso(fact.at)}`;
    case 'approval.unremembered':
      return `${call}: the ${fact.allowed ? 'approval' : 'denial'} by ${fact.by} is not remembered for other runs: ${fact.problem}`;
    case 'approval.escalated':
      return `${call} waits for ${whoMay(fact.deciders)}${until(fact.expiresAt)}: no decision in time`;
    case 'approval.expired':
      return `${call}: no decision in time`;
    case 'service.called': {
      const asked = fact.kind === 'child' || fact.kind === 'agent' ? `, the run ${fact.ref}` : '';
      const where = fact.domain === undefined ? '' : ` in ${fact.domain}`;
      return `${call} waits for an answer${until(fact.expiresAt)} (${fact.kind}${where}${asked})`;
    }
    case 'service.answered': {
      const { event, executionUnits, spent } = fact;
      const units = executionUnits === undefined ? '' : `, ${executionUnits} execution units`;
      return `${call}${event === undefined ? '' : `: ${event}`}${spent === undefined ? units : `, ${spentText(spent)}`}`;
    }
    case 'message.ignored': {
      const { why, toolUseId, detail } = fact;
      return `${toolUseId === undefined ? '' : `${toolUseId}: `}${why}${detail === undefined ? '' : `, ${detail}`}`;
    }
    case 'reply.failed':
      return `to ${fact.to}: ${fact.problem}`;
  }
}

/** The command that ends the wait that this fact begins. `undefined` if nothing waits for a person. */
export function waitCommand(id: string, fact: FactBody): string | undefined {
  switch (fact.type) {
    case 'approval.requested':
    case 'approval.escalated':
      return approveCommand({ id, ...fact });
    case 'service.called':
      return fact.kind === 'signal' ? completeCommand({ id, ...fact }) : undefined;
    case 'question.asked':
      return answerCommand({ id, ...fact });
    default:
      return undefined;
  }
}

/** The time limit, as the end of a phrase. */
export function until(expiresAt: number | undefined): string {
  return expiresAt === undefined ? '' : ` until ${iso(expiresAt)}`;
}

/** A time as people and machines read it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
