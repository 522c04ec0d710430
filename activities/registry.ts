import type { Agent, AgentDefinition } from '../agent/define/agent-definition';
import { HoldfastError } from '../agent/errors/error';

/** @throws HoldfastError `InvalidDefinition` if two agents have the same name */
export function checkNames(agents: readonly Agent[]): void {
  const names = new Set<string>();
  for (const { name } of agents) {
    if (names.has(name)) {
      throw new HoldfastError('InvalidDefinition', {
        place: `Agent \`${name}\``,
        problem: 'Two agents have this name',
      });
    }
    names.add(name);
  }
}

/** The agents that a worker knows. */
export class Registry {
  readonly #agents = new Map<string, AgentDefinition>();

  /** @throws HoldfastError `InvalidDefinition` if two agents have the same name */
  constructor(agents: readonly Agent[]) {
    checkNames(agents);
    for (const { name, definition } of agents) this.#agents.set(name, definition);
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
