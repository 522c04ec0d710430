import type { ContextBudget } from '../../agent/model/context-window';
import type { CompactionMethod } from '../../agent/protocol/calls/compaction';
import type { Fact } from '../../agent/protocol/facts/fact';
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
      | 'thinking'
      | 'error.repeated'
      | 'transcript.rewritten'
      | 'budget.context'
      | `context.${string}`
      | 'prompt.sections'
      | 'prompt.section.failed'
      | 'run.renamed'
      | 'run.continued'
      | 'facts.missing'
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
      return fact.error === undefined
        ? `turn ${fact.turn}: the model answered with text, but a call is required`
        : `turn ${fact.turn}: the call in its text cannot be read: ${fact.error.type}, ${fact.error.message}`;
    case 'thinking':
      return `turn ${fact.turn}: part ${fact.part} of message ${fact.index}`;
    case 'error.repeated': {
      const { times, name, error } = fact;
      return `${times} times in a row${name === undefined ? '' : `, ${name}`}: ${error.type}, ${error.message}`;
    }
    case 'transcript.rewritten':
      return `the first ${fact.length} messages stay, epoch ${fact.epoch}`;
    case 'budget.context':
      return budgetText(fact);
    case 'context.trimmed':
      return `messages before ${fact.from} are no longer sent`;
    case 'context.compacting':
      return `${COMPACTS[fact.method]}${from(fact.by)}`;
    case 'context.compacted': {
      const { method, tokens, from: index, model } = fact;
      const writer = model === undefined ? '' : `, written by ${model}`;
      return `${compactedText(method, index)}: ${tokens.before} tokens become ${tokens.after}${writer}`;
    }
    case 'context.summary.failed':
      return `old messages are left out without a summary: ${fact.error.type}, ${fact.error.message}`;
    case 'context.full':
      return `only ${fact.left} tokens of the window would be left, the model is asked to conclude`;
    case 'undo.done':
      return `${fact.toolUseId} ${fact.name} is undone${who(fact.by)}: ${fact.text}`;
    case 'undo.failed':
      return `${fact.toolUseId} ${fact.name} ${fact.error.type === 'OutcomeUnknown' ? 'may or may not be undone' : 'is not undone'}: ${fact.error.type}, ${fact.error.message}`;
    case 'undo.dropped':
      return `${fact.toolUseId} ${fact.name} can no longer be undone`;
    case 'prompt.sections':
      return `${fact.sections.join(', ')} (${fact.hash.slice(0, 8)})`;
    case 'prompt.section.failed':
      return `the section ${fact.section} is left out: ${fact.error.type}, ${fact.error.message}`;
    case 'run.continued':
      return `goes on in history ${fact.number + 1}: ${CONTINUED[fact.why]}`;
    case 'facts.missing':
      return `facts ${fact.from} to ${fact.to} can no longer be read: ${fact.why}`;
    case 'run.renamed':
      return `${fact.title}${fact.by === undefined ? '' : `, as ${fact.by} calls it`}`;
    case 'conversation.closing':
      return fact.why === 'idle' ? 'no message in time' : `closed${who(fact.by)}`;
  }
}

const CONTINUED = {
  history: 'this one has grown long',
  deployment: 'the workers have a new version',
  asked: 'a person asked for it',
} as const;

/** How much of the context window is in use, in words. */
export function budgetText({ used, total, remaining, system, tools, dropped, counted }: ContextBudget): string {
  const window = total === undefined ? '' : ` of ${total}`;
  const left = remaining === undefined ? '' : `, ${remaining} left`;
  const gone = dropped === 0 ? '' : `, without the ${dropped} oldest messages`;
  return `${used}${window} tokens${left} (system ${system}, tools ${tools})${gone}, counted by ${COUNTED[counted]}`;
}

function compactedText(method: CompactionMethod, index: number): string {
  return method === 'tool-results'
    ? `results of tools before message ${index} are sent as one line each`
    : `a summary is sent in place of the messages before ${index}`;
}

const COMPACTS = {
  summarise: 'old messages are being summed up',
  'tool-results': 'old results of tools are being shortened',
  function: 'old messages are being compacted',
} as const;
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
