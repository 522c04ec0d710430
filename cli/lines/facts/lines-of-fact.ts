import type { Fact } from '../../../agent/protocol/facts/fact';
import { visibleName } from '../../../agent/values/visible';
import { type ChatLine, chatLine } from '../../chat/line';
import { conversationLine } from '../conversation-line';
import { waitLine } from '../waits/wait-line';
import { breakerLine } from './breaker-line';
import { modelLine } from './model-line';
import { planLine } from './plan-line';

/** The lines that a fact adds to a chat, if it needs no other to be told. */
export function linesOfFact(fact: Fact): ChatLine[] {
  switch (fact.type) {
    case 'model.downgraded':
      return [chatLine('note', modelLine(fact))];
    case 'model.switched':
      return fact.why === 'chosen'
        ? [chatLine('note', modelLine(fact))]
        : [chatLine('warning', `${fact.from} failed, ${fact.to} takes over: ${fact.error.message}`)];
    case 'model.fallback':
      return [chatLine('warning', `Every model failed; this is the agent's fallback answer: ${fact.error.message}`)];
    case 'answer.nudged':
    case 'answer.replaced':
    case 'breaker.failing':
    case 'breaker.withdrawn':
    case 'breaker.hinted':
    case 'breaker.stopped':
      return [chatLine('note', breakerLine(fact))];
    case 'output.rejected':
      return [chatLine('note', `The answer is invalid. The model answers again: ${fact.error}`)];
    case 'approval.decided':
    case 'approval.remembered':
    case 'approval.unremembered':
    case 'approval.escalated':
    case 'approval.expired':
    case 'service.called':
      return [chatLine('note', waitLine(fact))];
    case 'question.answered':
    case 'question.declined':
    case 'question.expired':
    case 'question.withdrawn':
    case 'conversation.closing':
    case 'context.compacting':
    case 'context.compacted':
      return [chatLine('note', conversationLine(fact))];
    case 'context.summary.failed':
    case 'context.full':
    case 'prompt.section.failed':
    case 'facts.missing':
      return [chatLine('warning', conversationLine(fact))];
    case 'plan.made':
    case 'plan.decided':
      return [chatLine('note', `Plan: ${planLine(fact)}`)];
    case 'plan.fallback':
      return [chatLine('warning', `Plan: ${planLine(fact)}`)];
    case 'run.renamed':
      return [chatLine('note', `It is now called ${visibleName(fact.title)}.`)];
    case 'context.trimmed':
      return [chatLine('note', 'The oldest messages are no longer sent to the model.')];
    case 'loop.end':
      return fact.error === undefined ? [] : [chatLine('error', fact.error.message)];
    default:
      return [];
  }
}
