import type { Agent, McpServer } from '../agent/define-agent';
import { HoldfastError } from '../agent/error';
import type { ModelConfig } from '../agent/model-config';
import { nearNames } from '../agent/name-table';

/**
 * Checks that every alias that an agent names is configured: better now than in the middle of somebody's run.
 * @throws HoldfastError `UnknownModel`, `InvalidDefinition`
 */
export function checkReferences(
  agents: readonly Agent[],
  models: Readonly<Record<string, ModelConfig>>,
  mcp: Readonly<Record<string, McpServer>>,
): void {
  for (const { name, definition } of agents) {
    for (const alias of [definition.model ?? 'default'].flat()) {
      if (!Object.hasOwn(models, alias)) throw new HoldfastError('UnknownModel', { alias, known: Object.keys(models) });
    }
    for (const [server, given] of Object.entries(definition.mcp ?? {})) {
      if (typeof given === 'string' && !Object.hasOwn(mcp, given)) throw unknownServer(name, server, given, mcp);
    }
  }
}

function unknownServer(agent: string, server: string, alias: string, mcp: object): HoldfastError {
  const [near] = nearNames(alias, Object.keys(mcp));
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent}\`.mcp.${server}`,
    problem: `There is no MCP server \`${alias}\` under \`mcp\` in temporal.yaml${hint}`,
  });
}
