import type { Agent, AgentDefinition } from '../agent/define/agent-definition';
import type { McpServer } from '../agent/define/mcp-server';
import type { Outlet } from '../agent/define/outlet';
import { HoldfastError } from '../agent/errors/error';
import type { ModelConfig } from '../agent/model/config';
import { nearNames } from '../agent/model/name-table';

/** What a worker's configuration and options define, by alias. */
export interface References {
  models: Readonly<Record<string, ModelConfig>>;
  mcp: Readonly<Record<string, McpServer>>;
  outlets: Readonly<Record<string, Outlet>>;
}

/**
 * Checks that every alias that an agent names is configured: better now than in the middle of a run.
 * @throws HoldfastError `UnknownModel`, `InvalidDefinition`, `UnknownOutlet`
 */
export function checkReferences(agents: readonly Agent[], { models, mcp, outlets }: References): void {
  for (const { name, definition } of agents) {
    for (const alias of [definition.model ?? 'default'].flat()) {
      if (!Object.hasOwn(models, alias)) throw new HoldfastError('UnknownModel', { alias, known: Object.keys(models) });
    }
    for (const [server, given] of Object.entries(definition.mcp ?? {})) {
      if (typeof given === 'string' && !Object.hasOwn(mcp, given)) throw unknownServer(name, server, given, mcp);
    }
    for (const outlet of outletsOf(definition)) {
      if (!Object.hasOwn(outlets, outlet)) {
        throw new HoldfastError('UnknownOutlet', { outlet, known: Object.keys(outlets) });
      }
    }
  }
}

/** The outlets that its services, each in its domain, and its replies use. */
function outletsOf({ services = {}, replies }: AgentDefinition): string[] {
  const named = Object.values(services).flatMap((service) => {
    if (service.kind !== 'event') return [];
    const { outlet, domain = '' } = service;
    return typeof outlet === 'string' ? [outlet] : (outlet[domain] ?? []);
  });
  return replies === undefined ? named : [...named, replies];
}

function unknownServer(agent: string, server: string, alias: string, mcp: object): HoldfastError {
  const [near] = nearNames(alias, Object.keys(mcp));
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent}\`.mcp.${server}`,
    problem: `There is no MCP server \`${alias}\` under \`mcp\` in temporal.yaml${hint}`,
  });
}
