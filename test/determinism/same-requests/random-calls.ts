import type { ReplyCall } from '../../kit/model-reply';
import type { Random } from '../random/random';
import { AGENTS, type AgentKey } from './agents';

/** Agents whose results fill their window. */
export const NARROW_AGENTS = new Set<AgentKey>(['trimmed', 'lines', 'summed']);

/** Names of tools that do not exist. */
const LOST = ['lost', 'lookup', 'files.look', 'Look', 'search_tools', 'task_completion'];

/** No conversation has five failing calls of one tool, so none has five identical ones in a row. */
const MAX_FAILING = 3;

type Fault = 'none' | 'throws' | 'arguments' | 'json' | 'lost';
const WANTED: readonly Fault[] = ['none', 'none', 'none', 'none', 'throws', 'throws', 'arguments', 'json', 'lost'];
/** Tools of the agents here. */
const MAY_THROW = new Set(['look', 'quick', 'put', 'see', 'urgent', 'pay', 'rent']);
/** Approvals may be denied and services may fail: every call of theirs counts as failing. */
const DECIDED = new Set(['pay', 'rent', 'stock']);

/** The calls of one conversation. */
export class RandomCalls {
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
