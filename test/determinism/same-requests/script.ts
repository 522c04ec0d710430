import type { ModelReply, ReplyCall, ReplyFault } from '../../kit/model-reply';
import { type Random, randomFrom } from '../random/random';
import { AGENTS, type AgentKey } from './agents';

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
const LOST = ['lost', 'lookup', 'files.look', 'Look', 'search_tools', 'task_completion'];

/** The caller tries again after these. */
const FAULTS: readonly ReplyFault[] = [
  { kind: 'status', status: 503 },
  { kind: 'cut', after: 0 },
];

/** No conversation has five failing calls of one tool, so none has five identical ones in a row. */
const MAX_FAILING = 3;

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

const NARROW_AGENTS = new Set<AgentKey>(['trimmed', 'lines', 'summed']);
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

type Fault = 'none' | 'throws' | 'arguments' | 'json' | 'lost';
const WANTED: readonly Fault[] = ['none', 'none', 'none', 'none', 'throws', 'throws', 'arguments', 'json', 'lost'];
/** Tools of the agents here. */
const MAY_THROW = new Set(['look', 'quick', 'put', 'see', 'urgent', 'pay', 'rent']);
/** Approvals may be denied and services may fail: every call of theirs counts as failing. */
const DECIDED = new Set(['pay', 'rent', 'stock']);

class RandomCalls {
  readonly #failing = new Map<string, number>();
  readonly #tools: readonly string[];
  #before: ReplyCall | undefined;

  constructor(
    private readonly random: Random,
    private readonly agent: AgentKey,
    private readonly mark: string,
  ) {
    const { tools = {}, services = {}, loopTools = [], questions = {}, mcp = {} } = AGENTS[agent].definition;
    const loop = loopTools.filter((name) => name !== 'task_completion');
    const names = [...Object.keys(tools), ...Object.keys(services), ...loop, ...Object.keys(questions)];
    this.#tools = 'line' in mcp ? [...names, 'line_ask'] : names;
  }

  of(turn: number): ReplyCall[] {
    const { random } = this;
    const all = Array.from({ length: random.pick([1, 1, 1, 2, 3, 4]) }, (_, i) => this.#one(`${turn}.${i}`));
    // Only one agent works for another at a time: the order of their requests would be open.
    const [first, ...others] = all.filter(({ name }) => name === 'helper');
    const calls = first === undefined ? all : all.filter((call) => !others.includes(call));
    this.#before = calls.at(-1);
    return calls;
  }

  #one(place: string): ReplyCall {
    const { random, mark } = this;
    // Providers repeat ids.
    const id = random.below(8) === 0 ? 'again' : `id-${place}`;
    const before = this.#before;
    if (before !== undefined && random.below(6) === 0 && this.#mayRepeat(before)) return { ...before, id };
    const { name, fault } = this.#choice();
    const about = `${mark} ${place}`;
    switch (fault) {
      case 'lost':
        return { name: random.pick(LOST), id, arguments: { about } };
      case 'json':
        // The first of these can be repaired.
        return { name, id, arguments: random.pick([`{"mark": "${about}", "size`, `look: ${about}, [`]) };
      case 'arguments':
        return { name, id, arguments: { mark: about, size: 'large', fails: false } };
      default:
        return { name, id, arguments: this.#arguments(name, about, fault === 'throws') };
    }
  }

  #arguments(name: string, about: string, fails: boolean): ReplyCall['arguments'] {
    const { random } = this;
    if (name === 'ask_question' || name === 'ask_number') return { question: `What about ${about}?` };
    if (name === 'converse') return { message: `Tell me about ${about}.` };
    if (name === 'line_ask') return {};
    if (name === 'helper') return { mark: `${about.replace(' ', '-helper-')}`, size: 10, fails: false };
    const large = NARROW_AGENTS.has(this.agent) ? 2500 : 800;
    return { mark: about, size: random.pick([0, 20, 200, large]), fails };
  }

  #choice(): { name: string; fault: Fault } {
    const { random } = this;
    const name = random.pick(this.#tools);
    const wanted = random.pick(WANTED);
    const fault = wanted === 'throws' && !MAY_THROW.has(name) ? 'none' : wanted;
    if (fault === 'none' && !DECIDED.has(name)) return { name, fault };
    if (this.#mayFail(fault === 'lost' ? fault : name)) return { name, fault };
    return { name: DECIDED.has(name) ? 'look' : name, fault: 'none' };
  }

  #mayFail(name: string): boolean {
    const failing = this.#failing.get(name) ?? 0;
    if (failing >= MAX_FAILING) return false;
    this.#failing.set(name, failing + 1);
    return true;
  }

  #mayRepeat({ name, arguments: args }: ReplyCall): boolean {
    if (name === 'helper') return false;
    const works = typeof args === 'object' && args.fails === false && args.size !== 'large' && !DECIDED.has(name);
    return works || this.#mayFail(this.#tools.includes(name) ? name : 'lost');
  }
}
