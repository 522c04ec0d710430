import type { ContentPart, Fact } from 'holdfast';

/** A fact as a line for people. `undefined` for facts that do not interest them. */
export function lineOf(who: string, fact: Fact): string | undefined {
  const said = tell(fact);
  return said === undefined ? undefined : line(who, said);
}

/** One line: the speaker and the text. */
export function line(who: string, said: string): string {
  return `${who.padEnd(8)} ${said}`;
}

function tell(fact: Fact): string | undefined {
  switch (fact.type) {
    case 'message': {
      // A partial answer is withdrawn, which `text.withdrawn` reports.
      if (fact.message.role !== 'assistant' || fact.message.partial) return undefined;
      const said = fact.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      // JSON output is for the caller, which puts it into words.
      return said === '' || said.startsWith('{') ? undefined : `“ ${said}`;
    }
    case 'tool.call':
      return isQuestion(fact) ? undefined : `→ ${fact.name} ${JSON.stringify(fact.input)}`;
    case 'tool.result':
      return isQuestion(fact) ? undefined : `← ${fact.name}: ${short(fact.content.map(textOf).join(' '))}`;
    case 'tool.error':
      // The decision was shown already.
      return fact.error.type === 'Denied' ? undefined : `✗ ${fact.name}: ${fact.error.message}`;
    case 'approval.requested':
      return `‖ ${fact.name} waits for ${fact.deciders?.join(' or ') ?? 'a person'}`;
    case 'approval.decided':
      return fact.comment === undefined ? decided(fact) : `${decided(fact)}: ${fact.comment}`;
    case 'approval.expired':
      return `✗ no decision on ${fact.name} in time`;
    case 'question.asked':
      return `? ${fact.question}${fact.suggestions === undefined ? '' : ` (${fact.suggestions.join(' | ')})`}`;
    case 'question.answered':
      return `✓ ${fact.by ?? 'a person'} answers ${JSON.stringify(fact.answer)}`;
    case 'undo.done':
      return `↶ ${fact.name} is undone: ${fact.text}`;
    case 'undo.failed':
      return `✗ ${fact.name} is not undone: ${fact.error.message}`;
    case 'text.withdrawn':
      return `✂ stops, since ${fact.by ?? 'a person'} sent a message`;
    case 'exchange.end':
      return fact.error === undefined ? undefined : `✗ no answer: ${fact.error.message}`;
    case 'message.ignored':
      return `· a message changed nothing: ${fact.detail ?? fact.why}`;
    case 'loop.end':
      return `■ ${fact.reason} after ${fact.turns} turns`;
    default:
      return undefined;
  }
}

function decided({ decision, by, name, input }: Extract<Fact, { type: 'approval.decided' }>): string {
  if (decision === 'approve') return `✓ ${by} agrees to ${name}`;
  if (decision === 'deny') return `✗ ${by} says no to ${name}`;
  return `✎ ${by} changes ${name} to ${JSON.stringify(input)}`;
}

/** Questions and their answers have separate lines. */
function isQuestion({ name }: { name: string }): boolean {
  return name === 'ask_question';
}

/** Maximum characters of a result that are shown. */
const SHOWN = 110;

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > SHOWN ? `${flat.slice(0, SHOWN)}…` : flat;
}

function textOf(part: ContentPart): string {
  return part.type === 'text' ? part.text : `[${part.mediaType}]`;
}
