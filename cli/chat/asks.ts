import type { PendingQuestion } from '../../agent/conversation/questions';
import type { Fact } from '../../agent/protocol/facts/fact';
import { visibleJson } from '../../agent/values/visible';
import { isQuestion, type Waiting } from '../inbox/lines';
import { schemaWords } from '../inbox/schema-words';
import { whoMay } from '../lines/waits/wait-commands';
import { until } from '../lines/waits/wait-line';
import { choicesOf } from '../waits/answer-text';
import { type ChatLine, chatLine } from './line';

/** A key that is unique across all runs. */
export function keyOf(waiting: Waiting): string {
  return `${waiting.id}/${isQuestion(waiting) ? waiting.questionId : waiting.toolUseId}`;
}

/** What a person has to know before deciding on a call or answering a question. */
export function askLine(waiting: Waiting, run: string): ChatLine {
  const of = waiting.id === run ? '' : ` of ${waiting.agent}`;
  if (isQuestion(waiting)) return chatLine('asks', questionText(waiting, of));
  const { toolUseId, tool, input, deciders, expiresAt, repeats, escalated, grantsUnread } = waiting;
  const who = deciders === undefined ? '' : `, for ${whoMay(deciders)}`;
  const notes = [
    ...(escalated ? ['The first deciders did not decide in time.'] : []),
    ...(repeats === undefined ? [] : [`It repeats ${repeats}, whose outcome is unknown: check before you approve.`]),
    ...(grantsUnread ? ['Remembered decisions could not be read.'] : []),
  ];
  return chatLine(
    'asks',
    [`May ${tool} run? ${toolUseId}${of}${who}${until(expiresAt)}`, visibleJson(input, 2), ...notes].join('\n'),
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

/** Whether the fact may change the set of calls and questions that wait for a person. */
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
