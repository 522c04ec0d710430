import type { PendingApproval } from '../../agent/approvals/approval';
import type { PendingQuestion } from '../../agent/conversation/questions';
import { visible, visibleJson } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';
import { whoMay } from '../lines/waits/wait-commands';
import { columns, spoken } from '../show/table';
import { widthOf, wrap } from '../terminal/text-width';
import { schemaWords } from './schema-words';

/** What waits for a person: a call that needs a decision, or a question. */
export type Waiting = PendingApproval | PendingQuestion;

export function isQuestion(waiting: Waiting): waiting is PendingQuestion {
  return 'questionId' in waiting;
}

/**
 * One line each, of at most `width` columns: age, agent, owner, run and call, tool and arguments. Where these leave little
 * room for the tool, it is the second one, and the rest follows.
 */
export function waitingLabels(all: readonly Waiting[], now: number, width: number): string[] {
  const rows = all.map((waiting) => {
    const { agent, owner = '', id, tool } = waiting;
    const [since, name, what] = isQuestion(waiting)
      ? [waiting.askedAt, waiting.questionId, waiting.question]
      : [waiting.requestedAt, waiting.toolUseId, visibleJson(waiting.input)];
    const where = [agent, owner, `${id} ${name}`];
    return { age: agoOf(since, now), where: where.map(cellOf), what: cellOf(`${tool} ${what}`) };
  });
  const wide = columns(rows.map(({ age, where, what }) => [age, ...where, what]));
  const before = Math.max(0, ...columns(rows.map(({ age, where }) => [age, ...where, '.'])).map(widthOf));
  const narrow = () => columns(rows.map(({ age, where, what }) => [age, what, ...where.filter((cell) => cell !== '')]));
  return (width - before < LEAST ? narrow() : wide).map((line) => lineOf(line, width));
}

/** Maximum characters of one column. */
const CELL = 60;
/** Columns that the tool and its arguments get at least. */
const LEAST = 20;

const cellOf = (cell: string) => oneLine(visible(cell), CELL);

function lineOf(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const [{ text } = { text: '' }] = wrap(line.replaceAll(' ', '\u00a0'), width - 1);
  return `${text.replaceAll('\u00a0', ' ')}…`;
}

/** Who may decide on a call or answer a question, and until when. */
export function waitingHint(waiting: Waiting, now: number): string {
  const { expiresAt } = waiting;
  const { deciders, escalated, repeats, grantsUnread } = isQuestion(waiting)
    ? ({} as Partial<PendingApproval>)
    : waiting;
  return [
    `for ${whoMay(deciders)}`,
    ...(expiresAt === undefined ? [] : [`expires in ${inOf(expiresAt, now)}`]),
    ...(escalated ? ['escalated'] : []),
    ...(repeats === undefined ? [] : [`repeats ${repeats}`]),
    ...(grantsUnread ? [GRANTS_UNREAD] : []),
  ].join(', ');
}

/** The hint that an earlier decision may exist. */
export const GRANTS_UNREAD = 'remembered decisions could not be read';

/** All details of a call, with its full arguments. */
export function callDetails(call: PendingApproval, now: number): string {
  const {
    agent,
    owner,
    id,
    toolUseId,
    tool,
    input,
    requestedAt,
    expiresAt,
    deciders,
    escalated,
    repeats,
    grantsUnread,
  } = call;
  const rows: string[][] = [
    ['call', `${toolUseId} ${tool}`],
    ...whereAndWhen({ id, agent, owner, expiresAt, since: requestedAt }, now),
    ['for', `${whoMay(deciders)}${escalated ? ', since the first let it expire' : ''}`],
    ...(repeats === undefined
      ? []
      : [['again', `it repeats ${repeats}, whose outcome is unknown: check before you approve`]]),
    ...(grantsUnread ? [['before', GRANTS_UNREAD]] : []),
  ];
  return visible([...columns(rows), '', visibleJson(input, 2)].join('\n'));
}

/** All details of a question, which a model or a server wrote. */
export function questionDetails(asked: PendingQuestion, now: number): string {
  const { questionId, tool, question, schema, url, askedAt: since } = asked;
  const rows = [['question', `${questionId} ${tool}`], ...whereAndWhen({ ...asked, since }, now)];
  if (url !== undefined) rows.push(['page', url]);
  const shape = schema === undefined ? [] : ['', `The answer is ${schemaWords(schema)}.`];
  return visible([...columns(rows), '', question, ...shape].join('\n'));
}

interface Place {
  id: string;
  agent: string;
  owner?: string | undefined;
  since: number;
  expiresAt?: number | undefined;
}

function whereAndWhen({ id, agent, owner, since, expiresAt }: Place, now: number): string[][] {
  const iso = (time: number) => new Date(time).toISOString();
  return [
    ['run', id],
    ['agent', agent],
    ...(owner === undefined ? [] : [['owner', owner]]),
    ['asked', `${iso(since)}, ${agoOf(since, now)} ago`],
    ...(expiresAt === undefined ? [] : [['expires', `${iso(expiresAt)}, in ${inOf(expiresAt, now)}`]]),
  ];
}

function agoOf(then: number, now: number): string {
  return whole(now - then);
}

function inOf(then: number, now: number): string {
  return then <= now ? 'no time' : whole(then - now);
}

/** A duration without milliseconds. */
function whole(ms: number): string {
  return spoken(Math.max(1000, ms < 120_000 ? Math.round(ms / 1000) * 1000 : ms));
}
