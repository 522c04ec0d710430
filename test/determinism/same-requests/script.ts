import type { ModelReply, ReplyFault } from '../../kit/model-reply';
import { type Random, randomFrom } from '../random/random';
import type { AgentKey } from './agents';
import { NARROW_AGENTS, RandomCalls } from './random-calls';

/** One conversation: who talks, what people say, and what the model answers, request by request. */
export interface Script {
  agent: Exclude<AgentKey, 'helper'>;
  /** Is in all its texts, and tells the model whose request it has. */
  mark: string;
  /** The input, and what a person says after each answer of a conversation. */
  messages: string[];
  replies: ModelReply[];
  /** What follows when there are no more replies. */
  last: ModelReply;
}

/** Agents by how often they are chosen. */
const CHOICE: readonly Script['agent'][] = [
  ...([
    'worker',
    'worker',
    'worker',
    'talker',
    'talker',
    'talker',
    'typed',
    'typed',
    'serial',
    'doer',
    'doer',
  ] as const),
  ...(['boss', 'mcp', 'bounded', 'chained', 'shown', 'trimmed', 'trimmed', 'lines', 'summed', 'judged'] as const),
];

/** The ends of answers that look unfinished, like a refusal or a question, or like none of these. */
const ENDINGS = [
  'Done.',
  'All files have been renamed.',
  'Here are the results: 1, 2 and 3. The sum is 6.',
  'I still need to look at the remaining files. Next I will open the third one.',
  'Let me continue with the next file.',
  "I can't do that. I don't have access to your files.",
  'Would you like me to go on?',
  'Which files do you mean?',
  'Let me know if you need anything else.',
  'I can help you with that.',
  'I can see three files in the folder.',
  'Sure?',
  '<tool>{"server_name": "local", "tool_name": "look", "arguments": {}}</tool>',
  '{"needs_tools": true, "steps": [{"step_number": 1, "description": "look"}]}',
  '',
  '  \n',
];
const SAID = ['', '', 'Let me look.', 'Now I will use the tools, and then I will tell you.', '<thinking>hm</thinking>'];

/** The caller tries again after these. */
const FAULTS: readonly ReplyFault[] = [
  { kind: 'status', status: 503 },
  { kind: 'cut', after: 0 },
];

/** The conversation of a seed. */
export function scriptOf(seed: number): Script {
  const random = randomFrom(seed);
  const agent = random.pick(CHOICE);
  const mark = `case-${seed}`;
  const more = ['Thanks. And now?', 'yes', 'Please go on.', 'No, not like that.'];
  const messages = [`Begin ${mark}`, ...Array.from({ length: random.below(4) }, () => random.pick(more))];
  const calls = new RandomCalls(random, agent, mark);
  const long = NARROW_AGENTS.has(agent) ? 8 : 2;
  const replies: ModelReply[] = [];
  let cut = false;
  for (let turns = long + random.below(5); turns > 0; turns--) {
    const said = random.pick(SAID);
    // Calls of an answer that was cut off fail as well: one call, once.
    const isCut: boolean = !cut && random.below(12) === 0;
    cut ||= isCut;
    const asked = calls.of(replies.length);
    replies.push({
      ...(random.below(15) === 0 ? { fault: random.pick(FAULTS) } : {}),
      ...(said === '' ? {} : { text: `${said} (${mark})` }),
      ...(random.below(4) === 0 ? { reasoning: 'I think that a tool will do.' } : {}),
      ...(isCut ? { finishReason: 'length' } : {}),
      calls: isCut ? asked.slice(0, 1) : asked,
    });
    // In a task of these agents a text is an output that does not fit; in a conversation it is an answer.
    if (random.below(4) === 0 && GO_ON.has(agent)) replies.push({ text: ending(random, mark) });
  }
  if (agent === 'chained' && random.below(2) === 0) {
    replies.splice(random.below(replies.length), 0, { fault: { kind: 'status', status: 404 } });
  }
  return { agent, mark, messages, replies, last: lastOf(agent, random, mark) };
}

/** What a helper answers that works for a conversation. */
export function helperScript(mark: string): ModelReply[] {
  const random = randomFrom(Number(mark.replace(/\D/g, '')));
  const calls = new RandomCalls(random, 'helper', mark);
  return [
    ...Array.from({ length: random.below(3) }, (_, i) => ({ calls: calls.of(i) })),
    { text: `I helped ${mark}.` },
  ];
}

const GO_ON = new Set<AgentKey>(['talker', 'summed', 'typed', 'doer', 'judged']);

function ending(random: Random, mark: string): string {
  const text = random.pick(ENDINGS);
  return text.trim() === '' ? text : `${text} (${mark})`;
}

function lastOf(agent: AgentKey, random: Random, mark: string): ModelReply {
  const verdict = { mark, sum: random.below(9) };
  if (agent === 'doer') return { calls: [{ name: 'task_completion', id: 'end', arguments: { result: verdict } }] };
  if (agent === 'typed') return { text: JSON.stringify(verdict) };
  if (agent === 'judged') return { text: `The sum is ${verdict.sum} (${mark})` };
  return { text: ending(random, mark) };
}
