import { priceSpecs } from '../activities/model/budget/price-specs';
import { unpriced } from '../agent/budget/price-spec';
import type { Agent, AgentDefinition } from '../agent/define/agent-definition';
import type { McpServer } from '../agent/define/mcp-server';
import { modelAliases } from '../agent/define/model-aliases';
import type { Outlet } from '../agent/define/outlet';
import { domainsOf } from '../agent/define/service-definition';
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
    for (const alias of modelAliases(definition)) {
      if (!Object.hasOwn(models, alias)) throw new HoldfastError('UnknownModel', { alias, known: Object.keys(models) });
    }
    checkPrices(definition, { agents, models });
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

/** Checks that a budget in money can be kept: with the models of the agent, and of the agents that work for it. */
function checkPrices(
  definition: AgentDefinition,
  { agents, models }: Pick<References, 'models'> & { agents: readonly Agent[] },
): void {
  const { name, budget, services = {} } = definition;
  const currency = (budget?.cost ?? budget?.perExchange?.cost)?.currency;
  if (currency === undefined) return;
  const below = Object.values(services).flatMap((service) => {
    const child = service.kind === 'agent' ? agents.find((agent) => agent.name === service.agent) : undefined;
    return child === undefined ? [] : modelAliases(child.definition);
  });
  const aliases = [...modelAliases(definition), ...below];
  const problem = unpriced(currency, aliases, priceSpecs(aliases, models));
  if (problem !== undefined) {
    throw new HoldfastError('InvalidDefinition', {
      place: `Agent \`${name}\`.budget.cost`,
      problem: `${problem}; give the alias \`prices\` in temporal.yaml`,
    });
  }
}

/** The outlets that its services, each in its domains, and its replies use. */
function outletsOf({ services = {}, replies }: AgentDefinition): string[] {
  const named = Object.values(services).flatMap((service) => {
    if (service.kind !== 'event') return [];
    const { outlet } = service;
    return typeof outlet === 'string' ? [outlet] : domainsOf(service).flatMap((domain) => outlet[domain] ?? []);
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
