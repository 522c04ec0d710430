import { priceSpecs } from '../activities/model/budget/price-specs';
import { unpriced } from '../agent/budget/price-spec';
import type { Agent, AgentDefinition } from '../agent/define/agent-definition';
import type { McpServer } from '../agent/define/mcp-server';
import { modelAliases } from '../agent/define/model-aliases';
import type { Outlet } from '../agent/define/outlet';
import { domainsOf } from '../agent/define/service-definition';
import { HoldfastError } from '../agent/errors/error';
import type { ModelConfig } from '../agent/model/config';
import { nearNames } from '../agent/model/names/name-table';
import type { EmbeddingModel } from '../agent/tool-filter/embedding-model';
import { BM25 } from '../agent/tool-filter/tool-filter';

/** What a worker's configuration and options define, by alias. */
export interface References {
  models: Readonly<Record<string, ModelConfig>>;
  mcp: Readonly<Record<string, McpServer>>;
  outlets: Readonly<Record<string, Outlet>>;
  /** Embedding models. Default: none. */
  embeddings?: Readonly<Record<string, EmbeddingModel>>;
}

/**
 * Checks that every alias that an agent names is configured: better now than in the middle of a run.
 * @throws HoldfastError `UnknownModel`, `InvalidDefinition`, `UnknownOutlet`
 */
export function checkReferences(agents: readonly Agent[], { models, mcp, outlets, embeddings = {} }: References): void {
  for (const { name, definition } of agents) {
    for (const alias of modelAliases(definition)) {
      if (Object.hasOwn(models, alias)) continue;
      throw new HoldfastError('UnknownModel', { alias, known: Object.keys(models), agent: name });
    }
    checkPrices(definition, { agents, models });
    for (const [server, given] of Object.entries(definition.mcp ?? {})) {
      if (typeof given === 'string' && !Object.hasOwn(mcp, given)) throw unknownServer(name, server, given, mcp);
    }
    checkRanker(name, definition, embeddings);
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
      problem: `${problem}; give the alias \`prices\` in temporal.yaml, or in a test \`prices\` to \`createAgentTestEnvironment\``,
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

/** An agent that names no ranker does without embeddings where the worker has none. */
function checkRanker(name: string, { toolFilter }: AgentDefinition, embeddings: object): void {
  const alias = typeof toolFilter === 'object' ? toolFilter.ranker : undefined;
  if (alias === undefined || alias === BM25 || Object.hasOwn(embeddings, alias)) return;
  const [near] = nearNames(alias, [BM25, ...Object.keys(embeddings)]);
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  throw new HoldfastError('InvalidDefinition', {
    place: `Agent \`${name}\`.toolFilter.ranker`,
    problem: `There is no embedding model \`${alias}\` under \`embeddings\` in temporal.yaml${hint}`,
  });
}

function unknownServer(agent: string, server: string, alias: string, mcp: object): HoldfastError {
  const [near] = nearNames(alias, Object.keys(mcp));
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent}\`.mcp.${server}`,
    problem: `There is no MCP server \`${alias}\` under \`mcp\` in temporal.yaml${hint}`,
  });
}
