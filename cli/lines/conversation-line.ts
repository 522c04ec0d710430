import type { ContextBudget } from '../../agent/model/context-window';
import type { Fact } from '../../agent/protocol/fact';
import { until } from './waits/wait-line';

export type ConversationFact = Extract<
  Fact,
  {
    type:
      | `exchange.${string}`
      | `question.${string}`
      | `undo.${string}`
      | 'message.received'
      | 'text.withdrawn'
      | 'tool.none'
      | 'transcript.rewritten'
      | 'budget.context'
      | 'context.trimmed'
      | 'run.renamed'
      | 'conversation.closing';
  }
>;

/** The text of a fact about messages, questions, the context window or undo. */
export function conversationLine(fact: ConversationFact): string {
  switch (fact.type) {
    case 'message.received': {
      const { into, ahead, steers, by } = fact;
      const place = steers === undefined ? `starts exchange ${into}` : `joins exchange ${into}${WHEN[steers]}`;
      return `${place}${ahead === 0 ? '' : `, ${ahead} ahead of it`}${from(by)}`;
    }
    case 'exchange.start': {
      const { exchange, regenerates, by } = fact;
      return `exchange ${exchange}${regenerates === undefined ? '' : `, regenerates exchange ${regenerates}`}${from(by)}`;
    }
    case 'exchange.end': {
      const { exchange, reason, data, error, by } = fact;
      const gave = data === undefined ? '' : `: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
      return `exchange ${exchange} ${reason}${who(by)}${error === undefined ? gave : `: ${error.type}, ${error.message}`}`;
    }
    case 'question.asked': {
      const { question, suggestions = [], url, expiresAt } = fact;
      const choice = suggestions.length === 0 ? '' : ` (${suggestions.join(' | ')})`;
      return `${asker(fact)} asks${until(expiresAt)}: ${question}${url === undefined ? '' : ` ${url}`}${choice}`;
    }
    case 'question.answered':
    case 'question.declined':
    case 'question.expired':
    case 'question.withdrawn': {
      const { answer, by } = fact;
      const said = answer === undefined ? '' : `: ${JSON.stringify(answer)}`;
      return `${asker(fact)} ${ENDED[fact.type]}${who(by)}${said}`;
    }
    case 'undo.left':
      return `${fact.toolUseId} ${fact.name} is not undone, since the undo before it failed${who(fact.by)}`;
    case 'text.withdrawn':
      return `turn ${fact.turn}: its text so far is withdrawn, ${fact.why}${who(fact.by)}`;
    case 'tool.none':
      return `turn ${fact.turn}: the model answered with text, but a call is required`;
    case 'transcript.rewritten':
      return `the first ${fact.length} messages stay, epoch ${fact.epoch}`;
    case 'budget.context':
      return budgetText(fact);
    case 'context.trimmed':
      return `messages before ${fact.from} are no longer sent`;
    case 'undo.done':
      return `${fact.toolUseId} ${fact.name} is undone${who(fact.by)}: ${fact.text}`;
    case 'undo.failed':
      return `${fact.toolUseId} ${fact.name} is not undone: ${fact.error.type}, ${fact.error.message}`;
    case 'undo.dropped':
      return `${fact.toolUseId} ${fact.name} can no longer be undone`;
    case 'run.renamed':
      return `${fact.title}${fact.by === undefined ? '' : `, as ${fact.by} calls it`}`;
    case 'conversation.closing':
      return fact.why === 'idle' ? 'no message in time' : `closed${who(fact.by)}`;
  }
}

/** How much of the context window is in use, in words. */
export function budgetText({ used, total, remaining, system, tools, dropped, counted }: ContextBudget): string {
  const window = total === undefined ? '' : ` of ${total}`;
  const left = remaining === undefined ? '' : `, ${remaining} left`;
  const gone = dropped === 0 ? '' : `, without the ${dropped} oldest messages`;
  return `${used}${window} tokens${left} (system ${system}, tools ${tools})${gone}, counted by ${COUNTED[counted]}`;
}

const COUNTED = { usage: 'the provider', tokenizer: 'a tokenizer', estimate: 'an estimate' } as const;
const WHEN = { queue: ' at its next turn', now: ' at once' } as const;
const ENDED = {
  'question.answered': 'is answered',
  'question.declined': 'is declined',
  'question.expired': 'expired without an answer',
  'question.withdrawn': 'is withdrawn',
} as const;

function asker({ questionId, name }: { questionId: string; name: string }): string {
  return `${questionId} ${name}`;
}

function who(by: string | undefined): string {
  return by === undefined ? '' : ` by ${by}`;
}

function from(by: string | undefined): string {
  return by === undefined ? '' : `, from ${by}`;
}
