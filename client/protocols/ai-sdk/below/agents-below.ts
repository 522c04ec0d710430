import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { CallParts } from '../calls/calls';
import type { UiChunk } from '../chunks';
import { type AboutAgent, AgentBelow } from './agent-below';

/** Numbers of the last facts that a reader has: of the run, and of agents that work for it. */
export interface Seen {
  facts: number;
  below: { readonly [path: string]: number };
  /** Ids of calls of the agents that have no outcome at the reader. */
  open?: readonly string[];
}

/**
 * The agents that work for the run, and what people are asked by them. Clients of the AI SDK send by themselves only what
 * people have answered in the last step of a message, once all of its calls are answered. So these calls are in a step of
 * their own, without the call that waits for the agent.
 */
export class AgentsBelow {
  readonly #agents = new Map<string, AgentBelow>();
  readonly #seen: Seen['below'];
  /** Last facts of agents whose questions readers have. */
  readonly #shown: { [path: string]: number };
  /** Calls that readers have, and which have not settled. */
  readonly #open: Set<string>;
  #isStep = false;

  constructor(
    { below, open = [] }: Omit<Seen, 'facts'>,
    /** Begins a step in the message. */
    private readonly step: () => UiChunk[],
  ) {
    this.#seen = below;
    this.#shown = { ...below };
    this.#open = new Set(open);
  }

  /** An agent works for the run. */
  join(path: string, about: AboutAgent): void {
    this.#agents.set(path, new AgentBelow(path, about));
    // The reader has the step already.
    if (this.#seenOf(path) > 0) this.#beginStep();
  }

  take(path: string, fact: Fact): UiChunk[] {
    const agent = this.#agents.get(path);
    if (agent === undefined) return [];
    const chunks = agent.take(fact);
    if (chunks.length === 0) return [];
    const step = this.#beginStep();
    this.#shown[path] = Math.max(this.#shown[path] ?? 0, fact.seq);
    this.#note(chunks);
    return fact.seq > this.#seenOf(path) ? [...step, ...chunks] : [];
  }

  /** Readers have calls of the agents there that are open, as far as is known. */
  isOpen(path: string): boolean {
    if (this.#seenOf(path) > 0 && !this.#agents.has(path)) return true;
    return [...this.#open].some((id) => isAt(path, id));
  }

  /** The agent at a path works no more, nor do its own ones. Default: none does. */
  close(path?: string): UiChunk[] {
    const gone = [...this.#agents.values()].filter((agent) => path === undefined || isAt(path, agent.path));
    const chunks = gone.flatMap((agent) => {
      this.#agents.delete(agent.path);
      return agent.close().filter((chunk) => 'toolCallId' in chunk && this.#open.has(chunk.toolCallId));
    });
    this.#note(chunks);
    // Those of agents that could not be read. A client that keeps one open with its answer sends the answer again, without end.
    const unread = [...this.#open].filter((id) => path === undefined || isAt(path, id)).map(unreadable);
    this.#note(unread);
    return [...chunks, ...unread];
  }

  /** A step of the run itself begins. */
  leaveStep(): void {
    this.#isStep = false;
  }

  /** Their calls, by path. */
  get calls(): ReadonlyMap<string, CallParts> {
    return new Map([...this.#agents].map(([path, { calls }]) => [path, calls]));
  }

  /** What a reader has of the agents, as far as they have asked people. */
  get shown(): Seen['below'] | undefined {
    return Object.keys(this.#shown).length === 0 ? undefined : { ...this.#shown };
  }

  #beginStep(): UiChunk[] {
    if (this.#isStep) return [];
    const chunks = this.step();
    this.#isStep = true;
    return chunks;
  }

  #seenOf(path: string): number {
    return Object.hasOwn(this.#seen, path) ? (this.#seen[path] ?? 0) : 0;
  }

  #note(chunks: readonly UiChunk[]): void {
    for (const chunk of chunks) {
      if (chunk.type === 'tool-input-available') this.#open.add(chunk.toolCallId);
      if (chunk.type.startsWith('tool-output-') && 'toolCallId' in chunk) this.#open.delete(chunk.toolCallId);
    }
  }
}

function unreadable(toolCallId: string): UiChunk {
  const errorText = 'The agent that made this call works no more, and what became of the call could not be read.';
  return { type: 'tool-output-error', toolCallId, errorText, dynamic: true };
}

function isAt(path: string, id: string): boolean {
  return id === path || id.startsWith(`${path}/`);
}
