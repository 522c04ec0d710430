import { createHash } from 'node:crypto';
import { type Random, randomFrom } from '../../determinism/random/random';
import type { ChatMessage, ChatRequest, ModelReply, ReplyFault } from '../../kit/model-reply';
import { callInText, randomCalls } from './random-call';
import { randomPlan } from './random-plan';
import { randomText } from './random-text';

/** The caller tries again after these, or goes to the next model. */
const FAULTS: readonly ReplyFault[] = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'cut', after: 5 },
  { kind: 'unfinished', after: 5 },
  { kind: 'half-chunk' },
  { kind: 'no-choices' },
];
/** These end a run, or the exchange of a conversation. */
const FATAL: readonly ReplyFault[] = [
  { kind: 'status', status: 404 },
  { kind: 'status', status: 400, code: 'strange' },
];

/** What a request asks for. */
type Asked = 'loop' | 'planner' | 'router' | 'summary';

/**
 * An answer of the grammar. It depends only on the request, the seed, and how often this request came before, so that a
 * seed repeats a run.
 */
export function randomAnswer(request: ChatRequest, seed: number, before: number): ModelReply {
  const hash = createHash('sha256').update(`${seed} ${before} ${JSON.stringify(request)}`);
  const random = randomFrom(hash.digest().readUInt32BE());
  const said = request.messages.map(textOf).join('\n');
  // A fault comes once: the caller has patience for a minute, and then for a day.
  if (before === 0 && random.below(30) === 0) return { text: 'Let me look at it.', fault: random.pick(FAULTS) };
  if (before === 0 && random.below(200) === 0) return { fault: random.pick(FATAL) };
  const reply = replyTo(askedBy(said), request, said, random);
  if (random.below(40) === 0)
    return { ...reply, finishReason: random.pick(['length', 'content_filter', 'stop', 'strange']) };
  return reply;
}

function replyTo(asked: Asked, request: ChatRequest, said: string, random: Random): ModelReply {
  const names = namesIn(request, said);
  switch (asked) {
    case 'summary':
      return { text: random.below(3) === 0 ? randomText(random) : 'Things were looked at.' };
    case 'planner':
      return { text: randomPlan(random) };
    case 'router':
      return random.below(4) === 0 ? anything(names, random) : call(request, names, random);
    case 'loop':
      return random.below(2) === 0 ? anything(names, random) : call(request, names, random);
  }
}

/** Calls in the protocol of the agent. */
function call({ tools }: ChatRequest, names: readonly string[], random: Random): ModelReply {
  const thought = random.below(5) === 0 ? { reasoning: 'A tool will do.' } : {};
  if (tools === undefined) return { ...thought, text: callInText(names, random) };
  const said = random.below(4) === 0 ? { text: 'Let me look.' } : {};
  return { ...thought, ...said, calls: randomCalls(names, random) };
}

/** Whatever a model may say, in any protocol. */
function anything(names: readonly string[], random: Random): ModelReply {
  switch (random.below(10)) {
    case 0:
      return { reasoning: 'Only a thought.' };
    case 1:
      return {};
    case 2:
      return { text: callInText(names, random) };
    case 3:
      return { calls: randomCalls(names, random) };
    case 4:
      return { text: callInText(names, random), calls: randomCalls(names, random) };
    case 5:
      return { text: randomPlan(random) };
    default:
      return { text: randomText(random) };
  }
}

const MARKS: readonly [text: string, asked: Asked][] = [
  ['You compact the conversation', 'summary'],
  ['Plan how to do the task', 'planner'],
  ['You choose the tool for one step', 'router'],
];

export function askedBy(said: string): Asked {
  return MARKS.find(([text]) => said.includes(text))?.[1] ?? 'loop';
}

/** The names of the tools that a request offers, as fields or in its text. */
export function namesIn({ tools }: ChatRequest, said: string): string[] {
  if (tools !== undefined) return tools.map(({ function: { name } }) => name);
  return [...said.matchAll(/^- ([\w-]+): .*\n {2}Schema of its arguments/gm)].map(([, name]) => name as string);
}

export function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
}
