import { createHash } from 'node:crypto';
import type { ChatRequest, ModelReply } from '../../kit/model-reply';
import { calls, text } from '../../kit/scripted-model';
import { type Random, randomFrom } from './random';

type Call = Parameters<typeof calls>[number];

const slowly = { chunkSize: 8, chunkDelay: 10 };

/**
 * The answer depends only on the request and the seed: a repeated call gets the same answer.
 * @param turns answers with calls in one exchange; after those the model answers with text only
 */
export function randomReply({ messages, tools = [] }: ChatRequest, seed: number, turns: number): ModelReply {
  const hash = createHash('sha256')
    .update(`${seed} ${JSON.stringify(messages)}`)
    .digest();
  const random = randomFrom(hash.readUInt32BE());
  const item = hash.toString('hex', 4, 10);
  const names = tools.map(({ function: { name } }) => name);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
  const all = messages.filter(({ role }) => role === 'assistant').length;
  const ends = names.length === 0 || turn >= turns || all >= 5 * turns || random.next() < (turn === 0 ? 0.1 : 0.3);
  if (ends) return text(`I say ${item}. ${'And so on. '.repeat(random.below(20))}`, slowly);
  const said = random.next() < 0.3 ? { text: `Now ${item}, wait a moment, please.` } : {};
  return { ...slowly, ...said, ...calls(...batch(random, item, names)) };
}

/** Often several calls of a kind, since the test is about the order among them. */
function batch(random: Random, item: string, names: readonly string[]): Call[] {
  const size = random.pick([1, 2, 2, 3, 4, 6]);
  const kinds = random.pick<readonly string[]>([
    ['ask'],
    ['ask', 'post', 'ask_soon', 'post_soon'],
    ['look', 'slow_look', 'peek', 'count', 'put', 'slow_put', 'keep', 'fail'],
    ['peek', 'count'],
    ['pay', 'lend', 'sell', 'rent', 'pay_hand', 'look'],
    ['rent'],
    ['ask_question', 'ask_number', 'converse', 'look', 'ask'],
    ['child', 'helper', 'ask', 'line_ask'],
    names,
  ]);
  const known = kinds.filter((kind) => names.includes(kind));
  return Array.from({ length: size }, (_, i) =>
    one(random.pick(known.length > 0 ? known : names), `${item}${i}`, random),
  );
}

function one(name: string, item: string, random: Random): Call {
  // Without a decision in time this call fails the run.
  if (name === 'burn' && random.next() < 0.8) return ['look', { item }];
  if (random.next() < 0.02) return ['lost', { item }];
  if (random.next() < 0.02) return [name, '{"item": '];
  if (name === 'ask_question' || name === 'ask_number') return [name, { question: `What about ${item}?` }];
  if (name === 'converse') return [name, { message: `Tell me about ${item}.` }];
  if (name === 'child') return [name, { input: { item } }];
  if (name === 'line_ask') return [name, {}];
  return [name, { item }];
}
