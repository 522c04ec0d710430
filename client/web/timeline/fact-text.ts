import type { Fact } from '../../../agent/protocol/facts/fact';

/** Fields that say most about a fact, in the order in which they are shown. */
const TELLING = [
  'name',
  'model',
  'toolUseId',
  'question',
  'title',
  'decision',
  'reason',
  'why',
  'by',
  'text',
  'comment',
];

/** One short line about a fact. The whole fact is shown when a person unfolds it. */
export function factText(fact: Fact): string {
  if (fact.type === 'message') {
    const { role, parts } = fact.message;
    return `${role}: ${parts.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join(' ')}`.slice(0, 200);
  }
  const fields: { [name: string]: unknown } = { ...fact };
  const texts = TELLING.flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : []));
  if ('error' in fact && typeof fact.error === 'object') texts.push(fact.error.message);
  if ('turn' in fact && texts.length === 0) texts.push(`turn ${fact.turn}`);
  return texts.join(', ').replace(/\s+/g, ' ').slice(0, 200);
}
