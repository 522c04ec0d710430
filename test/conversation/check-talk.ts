import type { Message } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import { transcriptProblems } from '../durability/stage/check-transcript';

/** The problems of an ended run in which people took part: its transcript, its facts, and how they fit together. */
export function talkProblems(facts: readonly Fact[], messages: readonly Message[]): string[] {
  return [
    // A model call that was aborted for a person's message leaves its partial text.
    ...transcriptProblems(messages).filter((problem) => !problem.includes('is partial')),
    ...messages.flatMap(({ partial }, i) =>
      partial && messages[i + 1]?.role === 'assistant' ? [`message ${i} is partial, and no person follows`] : [],
    ),
    ...facts.flatMap(({ seq }, i) => (seq === i + 1 ? [] : [`fact ${i + 1} has the number ${seq}`])),
    ...pastTheEnd(facts),
    ...(JSON.stringify(toldMessages(facts)) === JSON.stringify(messages) ? [] : ['the facts have other messages']),
    ...pairs(facts, 'tool.call', /^tool\.(result|error)$/, (fact) => idOf(fact, 'toolUseId')),
    ...pairs(facts, 'question.asked', /^question\.(?!asked)/, (fact) => idOf(fact, 'questionId')),
    ...twice(facts, 'text.withdrawn'),
    ...twice(facts, 'usage'),
    ...exchangeProblems(facts),
  ];
}

/** The texts from people that the transcript holds, in order. */
export function saidTexts(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
}

function toldMessages(facts: readonly Fact[]): Message[] {
  let told: Message[] = [];
  for (const fact of facts) {
    if (fact.type === 'message') told.push(fact.message);
    if (fact.type === 'transcript.rewritten') told = told.slice(0, fact.length);
  }
  return told;
}

function idOf(fact: Fact, field: 'toolUseId' | 'questionId'): string {
  return String((fact as { [field: string]: unknown })[field]);
}

/** Each fact of one kind is followed by exactly one of the other. */
function pairs(facts: readonly Fact[], opens: Fact['type'], closes: RegExp, id: (fact: Fact) => string): string[] {
  const open = facts.filter(({ type }) => type === opens).map(id);
  const closed = facts.filter(({ type }) => closes.test(type)).map(id);
  const same = JSON.stringify([...open].sort()) === JSON.stringify([...closed].sort());
  return same && new Set(open).size === open.length ? [] : [`${opens} of ${open}, ended ${closed}`];
}

function twice(facts: readonly Fact[], type: 'text.withdrawn' | 'usage'): string[] {
  const turns = facts.flatMap((fact) => (fact.type === type && !('for' in fact) ? [fact.turn] : []));
  return turns.filter((turn, i) => turns.indexOf(turn) !== i).map((turn) => `${type} twice in turn ${turn}`);
}

/**
 * Exchanges begin and end one after the other, and each message that was taken has the exchange that it was promised.
 */
function exchangeProblems(facts: readonly Fact[]): string[] {
  const problems: string[] = [];
  const begun: number[] = [];
  let open: number | undefined;
  for (const { type, exchange } of facts) {
    if (type === 'exchange.start') {
      if (open !== undefined) problems.push(`exchange ${exchange} begins in exchange ${open}`);
      begun.push(exchange);
      open = exchange;
    }
    if (type === 'exchange.end') {
      if (open !== undefined && open !== exchange) problems.push(`exchange ${exchange} ends in exchange ${open}`);
      open = undefined;
    }
  }
  const cancelled = facts.some((fact) => fact.type === 'loop.end' && fact.reason !== 'completed');
  const promised = facts.flatMap((fact) =>
    fact.type === 'message.received' && fact.steers === undefined ? [fact.into] : [],
  );
  const kept = cancelled ? promised.slice(0, begun.length) : promised;
  if (JSON.stringify(begun) !== JSON.stringify(kept)) problems.push(`promised ${promised}, begun ${begun}`);
  return problems;
}

/** After the end, the only facts are messages that came too late. */
function pastTheEnd(facts: readonly Fact[]): string[] {
  const end = facts.findIndex(({ type }) => type === 'loop.end');
  if (end < 0) return ['it has no end'];
  return facts
    .slice(end + 1)
    .flatMap(({ type }) => (type === 'message.ignored' ? [] : [`${type} comes after the end`]));
}
