import type { ContentPart, Part } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { visible, visibleJson } from '../../../agent/values/visible';
import { conversationLine } from '../conversation-line';
import { spentText } from '../spent-text';
import { waitLine } from '../waits/wait-line';
import { breakerLine } from './breaker-line';
import { budgetLine } from './budget-line';
import { modelLine } from './model-line';
import { planLine } from './plan-line';
import { toolsLine } from './tools-line';

/** Maximum characters of one line. `--json` prints longer texts in full. */
const WIDTH = 200;

/** Maximum characters of a problem, whose cause and remedy may come late. Some servers return whole pages. */
export const PROBLEM_WIDTH = 1000;

/** A fact as one line for people. */
export function factLine(fact: Fact): string {
  const text = oneLine(visible(factText(fact)), 'error' in fact ? PROBLEM_WIDTH : WIDTH);
  return `${String(fact.seq).padStart(4)}  ${fact.type.padEnd(15)} ${text}`.trimEnd();
}

/** What a fact says, without its number and type. */
export function factText(fact: Fact): string {
  switch (fact.type) {
    case 'loop.start':
      return fact.agent;
    case 'loop.iteration':
      return `turn ${fact.turn}, ${fact.for ?? fact.lifecycle}${fact.last === true ? ', the last one' : ''}`;
    case 'message':
      return `${fact.message.role}: ${fact.message.parts.map(partText).join(' ')}`;
    case 'usage':
      return `${fact.model}${fact.for === undefined ? '' : `, ${fact.for}`}: ${spentText(fact)}`;
    case 'tool.call':
      return `${fact.toolUseId} ${fact.name} ${visibleJson(fact.input)}`;
    case 'tool.result':
      return `${fact.toolUseId} ${fact.name}: ${fact.content.map(partText).join(' ')}`;
    case 'tool.error':
      return `${fact.toolUseId} ${fact.name}: ${fact.error.type}, ${fact.error.message}`;
    case 'tool.dropped':
      return `${fact.name} ${visibleJson(fact.input)}, a call of higher priority goes first`;
    case 'result.dropped':
      return `${fact.toolUseId}, which is not a call of this turn`;
    case 'model.waiting':
    case 'model.retried':
    case 'model.downgraded':
    case 'model.switched':
    case 'model.fallback':
      return modelLine(fact);
    case 'plan.made':
    case 'plan.decided':
    case 'plan.step':
    case 'plan.done':
    case 'plan.direct':
    case 'plan.fallback':
      return planLine(fact);
    case 'budget.soft':
    case 'budget.reached':
    case 'budget.raised':
    case 'budget.lost':
      return budgetLine(fact);
    case 'tools.offered':
      return toolsLine(fact);
    case 'answer.nudged':
    case 'answer.replaced':
    case 'breaker.skipped':
    case 'breaker.failing':
    case 'breaker.withdrawn':
    case 'breaker.hinted':
    case 'breaker.stopped':
    case 'tool.repaired':
      return breakerLine(fact);
    case 'output.rejected':
      return fact.error;
    case 'approval.requested':
    case 'approval.decided':
    case 'approval.remembered':
    case 'approval.unremembered':
    case 'approval.escalated':
    case 'approval.expired':
    case 'service.called':
    case 'service.answered':
    case 'message.ignored':
    case 'reply.failed':
      return waitLine(fact);
    case 'message.received':
    case 'exchange.start':
    case 'exchange.end':
    case 'question.asked':
    case 'question.answered':
    case 'question.declined':
    case 'question.expired':
    case 'question.withdrawn':
    case 'text.withdrawn':
    case 'tool.none':
    case 'thinking':
    case 'error.repeated':
    case 'transcript.rewritten':
    case 'budget.context':
    case 'context.trimmed':
    case 'context.compacting':
    case 'context.compacted':
    case 'context.summary.failed':
    case 'context.full':
    case 'prompt.sections':
    case 'prompt.section.failed':
    case 'undo.done':
    case 'undo.failed':
    case 'undo.left':
    case 'undo.dropped':
    case 'run.renamed':
    case 'run.continued':
    case 'facts.missing':
    case 'conversation.closing':
      return conversationLine(fact);
    case 'loop.end': {
      const end = `${fact.reason} after ${turnsText(fact.turns)}, ${spentText(fact)}`;
      return fact.error === undefined ? end : `${end}: ${fact.error.type}, ${fact.error.message}`;
    }
    default:
      // A worker may be newer than this command line.
      return JSON.stringify(fact);
  }
}

export function turnsText(turns: number): string {
  return `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
}

function partText(part: Part | ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(thinks: ${part.text})`;
    case 'media':
      return `[${part.mediaType}]`;
    case 'tool_use':
      return `→ ${part.name}`;
    case 'tool_result':
      return part.content.map(partText).join(' ');
  }
}

export function oneLine(text: string, width = WIDTH): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** A text as lines of which only the first looks like one of ours, so that quoted text cannot imitate one. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line, i) => (i === 0 ? line : `│ ${line}`));
}
