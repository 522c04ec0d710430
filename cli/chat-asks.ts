import type { Fact } from '../agent/fact';
import type { JsonSchema } from '../agent/manifest';
import type { PendingQuestion } from '../agent/talk';
import { choicesOf, takesText } from './answer-text';
import { type ChatLine, chatLine } from './chat-line';
import { isQuestion, shownJson, type Waiting } from './inbox-lines';
import { whoMay } from './wait-commands';
import { until } from './wait-line';

/** Names what waits, over all runs. */
export function keyOf(waiting: Waiting): string {
  return `${waiting.id}/${isQuestion(waiting) ? waiting.questionId : waiting.toolUseId}`;
}

/** What a person has to know before they decide on a call, or answer a question. */
export function askLine(waiting: Waiting, run: string): ChatLine {
  const of = waiting.id === run ? '' : ` of ${waiting.agent}`;
  if (isQuestion(waiting)) return chatLine('asks', questionText(waiting, of));
  const { toolUseId, tool, input, deciders, expiresAt, repeats, escalated } = waiting;
  const who = deciders === undefined ? '' : `, for ${whoMay(deciders)}`;
  const notes = [
    ...(escalated ? ['Nobody decided in time before.'] : []),
    ...(repeats === undefined
      ? []
      : [`It repeats ${repeats}, and nobody knows whether that took effect: look before you approve.`]),
  ];
  return chatLine(
    'asks',
    [`May ${tool} run? ${toolUseId}${of}${who}${until(expiresAt)}`, shownJson(input, 2), ...notes].join('\n'),
  );
}

function questionText(asked: PendingQuestion, of: string): string {
  const { questionId, question, schema, url, expiresAt } = asked;
  const choices = choicesOf(asked);
  return [
    `${question}`,
    ...(url === undefined ? [] : [url]),
    ...(choices.length === 0 ? [] : [`Such as ${choices.join(' | ')}`]),
    ...(schema === undefined ? [] : [`The answer is ${schemaWords(schema)}.`]),
    ...(of === '' && expiresAt === undefined ? [] : [`${questionId}${of}${until(expiresAt)}`]),
  ].join('\n');
}

/** A JSON Schema in words, as far as there are any. */
export function schemaWords(schema: JsonSchema): string {
  const { enum: values, type, properties, items } = schema as JsonSchema & { properties?: Record<string, JsonSchema> };
  if (Array.isArray(values)) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (type === 'object' && properties !== undefined) {
    const needed = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(properties).map(
      ([name, field]) => `\`${name}\` (${schemaWords(field)}${needed.includes(name) ? '' : ', may be missing'})`,
    );
    return `JSON, an object with ${fields.join(', ')}`;
  }
  if (type === 'array') return `JSON, a list of ${isSchema(items) ? schemaWords(items) : 'anything'}`;
  if (typeof type === 'string' && Object.hasOwn(WORDS, type)) return `${WORDS[type]}${limits(schema)}`;
  return takesText(schema) ? `a text${limits(schema)}` : `JSON that fits ${shownJson(schema)}`;
}

const WORDS: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

function limits({ minimum, maximum, minLength, maxLength, format, pattern }: JsonSchema): string {
  const said = [
    ...(typeof format === 'string' ? [`as ${format}`] : []),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
    ...(minLength === undefined ? [] : [`of at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`of at most ${maxLength} characters`]),
    ...(typeof pattern === 'string' && format === undefined ? [`that fits /${pattern}/`] : []),
  ];
  return said.length === 0 ? '' : ` ${said.join(' ')}`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether what waits for a person may be another than before. */
export function changesWaiting({ type }: Pick<Fact, 'type'>): boolean {
  return CHANGES.has(type);
}

const CHANGES: ReadonlySet<string> = new Set<Fact['type']>([
  'approval.requested',
  'approval.decided',
  'approval.escalated',
  'approval.expired',
  'question.asked',
  'question.answered',
  'question.declined',
  'question.expired',
  'question.withdrawn',
  'service.called',
  'service.answered',
  'tool.result',
  'tool.error',
  'exchange.end',
]);
