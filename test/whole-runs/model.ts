import { createHash } from 'node:crypto';
import type { Random } from '../determinism/random/random';
import { randomFrom } from '../determinism/random/random';
import type { ChatRequest, ModelReply } from '../kit/model-reply';
import { askedBy, namesIn, randomAnswer, textOf } from '../properties/random-answers/random-answer';
import { fitting } from '../properties/random-answers/random-call';

const slowly = { chunkSize: 8, chunkDelay: 10 };

/** Often an answer that makes sense, so that runs get somewhere; else any at all. */
export function wholeAnswer(request: ChatRequest, seed: number, before: number): ModelReply {
  const hash = createHash('sha256')
    .update(`whole ${seed} ${before} ${JSON.stringify(request)}`)
    .digest();
  const random = randomFrom(hash.readUInt32BE());
  const said = request.messages.map(textOf).join('\n');
  const asked = askedBy(said);
  const names = namesIn(request, said);
  if (asked === 'loop' && random.next() < 0.65) {
    if (names.length > 0 && random.next() < 0.75) return { ...slowly, ...sensible(request, names, random) };
    if (/"sum"/.test(JSON.stringify(request))) return { ...slowly, text: '{"sum": 3}' };
    return { ...slowly, text: `I say ${hash.toString('hex', 4, 8)}. ${'And so on. '.repeat(random.below(20))}` };
  }
  const reply = randomAnswer(request, seed, before);
  return { ...slowly, chunkSize: Math.max(8, (reply.text?.length ?? 0) / 10), ...reply };
}

const KINDS: readonly (readonly string[])[] = [
  ['ask', 'post', 'ask_soon', 'post_soon'],
  ['pay', 'lend', 'sell', 'rent', 'pay_hand', 'look'],
  ['helper1', 'helper2', 'ask', 'child'],
  ['look', 'peek', 'put', 'keep', 'broken', 'line', 'fresh', 'slow_look'],
  ['ask_question', 'ask_number', 'converse', 'look', 'put'],
  ['line_ask', 'helper1', 'rent'],
];

function sensible({ tools }: ChatRequest, names: readonly string[], random: Random): ModelReply {
  const kind = random.below(4) === 0 ? names : random.pick(KINDS).filter((name) => names.includes(name));
  const from = kind.length > 0 ? kind : names;
  const size = tools === undefined ? 1 : random.pick([1, 2, 2, 3, 4]);
  const calls = Array.from({ length: size }, () => {
    const name = random.pick(from);
    const args = fitting(name, random);
    return { name, arguments: 'mark' in args ? { ...args, mark: `m${random.below(1e6)}` } : args };
  });
  if (tools === undefined) {
    const [call] = calls;
    return {
      text: `<tool>${JSON.stringify({ server_name: 'local', tool_name: call?.name, arguments: call?.arguments })}</tool>`,
    };
  }
  const text = random.below(3) === 0 ? { text: 'Now, wait a moment, please.' } : {};
  return { ...text, calls: calls.map((call) => ({ ...call, id: `call-${random.below(1e9)}` })) };
}
