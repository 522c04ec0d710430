import { createHash } from 'node:crypto';
import type { ChatRequest, ModelReply } from '../kit/model-reply';
import { calls, text } from '../kit/scripted-model';
import { type Random, randomFrom } from './random';

/** Answers by what it is sent and by the seed alone: a call that is made again gets the same answer. */
export function randomReply({ messages }: ChatRequest, seed: number): ModelReply {
  const hash = createHash('sha256')
    .update(`${seed} ${JSON.stringify(messages)}`)
    .digest();
  const random = randomFrom(hash.readUInt32BE());
  const item = hash.toString('hex', 4, 10);
  const slowly = { chunkSize: 8, chunkDelay: 15 };
  const dice = random.next();
  if (dice < 0.5) return text(`I say ${item}. ${'And so on. '.repeat(random.below(25))}`, slowly);
  const said = random.next() < 0.5 ? { text: `Now ${item}, wait a moment, please.` } : {};
  return { ...slowly, ...said, ...calls(...(dice < 0.85 ? [one(random, item)] : several(random, item))) };
}

type Call = Parameters<typeof calls>[number];

function one(random: Random, item: string): Call {
  return random.pick<Call>([
    ['look', { item }],
    ['put', { item }],
    ['put', { item }],
    ['pay', { item }],
    ['ask_question', { question: `What about ${item}?` }],
    ['converse', { message: `Tell me about ${item}.` }],
    ['lost', { item }],
  ]);
}

function several(random: Random, item: string): Call[] {
  return Array.from({ length: 2 + random.below(2) }, (_, i) => one(random, `${item}${i}`));
}
