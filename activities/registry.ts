import type { Agent, AgentDefinition } from '../agent/define/agent-definition';
import { HoldfastError } from '../agent/errors/error';

/** The agents that a worker knows. */
export class Registry {
  readonly #agents = new Map<string, AgentDefinition>();

  /** @throws HoldfastError `InvalidDefinition` if two agents have the same name */
  constructor(agents: readonly Agent[]) {
    for (const { name, definition } of agents) {
      if (this.#agents.has(name)) {
        throw new HoldfastError('InvalidDefinition', {
          place: `Agent \`${name}\``,
          problem: 'Two agents have this name',
        });
      }
      this.#agents.set(name, definition);
    }
  }

  get names(): string[] {
    return [...this.#agents.keys()].sort();
  }

  find(name: string): AgentDefinition | undefined {
    return this.#agents.get(name);
  }

  /** @throws HoldfastError `UnknownAgent` */
  get(name: string): AgentDefinition {
    const definition = this.#agents.get(name);
    if (definition === undefined) throw new HoldfastError('UnknownAgent', { agent: name, known: this.names });
    return definition;
  }
}
