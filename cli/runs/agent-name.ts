import type { Agent } from '../../agent/define/agent-definition';
import type { Config } from '../../runtime/config/config';
import { warn, withConsoleOnError } from '../../runtime/print';
import { pollers } from '../../runtime/temporal/pollers';
import { loadAgents } from '../../workers/load/load-agents';
import { withOtherAgents } from '../../workers/other-workers';
import { agentsHash } from '../../workers/worker-identity';
import { errorLines } from '../exit';
import { unknownAgent } from '../unknown-agent';
import { withClient } from '../with-client';

/**
 * Refuses a name that no agent of temporal.yaml has, since its workers could not run it either.
 * Workers with other agents may know the name: then there is only a warning. The same holds for
 * modules that cannot be loaded here. Nothing is known, and nothing refused, if temporal.yaml names no agents.
 * @returns the agent, if it is known here
 * @throws HoldfastError `UnknownAgent`, and what `loadAgents` throws
 */
export async function checkAgentName(name: string, config: Config): Promise<Agent | undefined> {
  if (config.agents.length === 0) return undefined;
  let agents: Agent[] = [];
  let problem: unknown;
  try {
    agents = await withConsoleOnError(() => loadAgents(config));
    const known = agents.find((agent) => agent.name === name);
    if (known !== undefined) return known;
    const names = agents.map((agent) => agent.name);
    problem = unknownAgent(name, names, config);
  } catch (error) {
    problem = error;
  }
  const others = await othersOf(agents, config);
  if (others.length === 0) throw problem;
  const [line = '', ...more] = errorLines(problem);
  const stop = /[.?]$/.test(line) ? '' : '.';
  warn(`!     ${line}${stop} Workers with other agents are asked: ${others.join(', ')}`, ...more);
  return undefined;
}

/** The workers of the task queue that have other agents. None if the server does not say: it may be down. */
async function othersOf(agents: readonly Agent[], config: Config): Promise<string[]> {
  const { namespace, taskQueue } = config.temporal;
  const find = async () =>
    withClient(config, ({ temporal }) => pollers(temporal.connection, namespace, taskQueue), { patience: 0 });
  return withOtherAgents(await find().catch(() => []), agentsHash(agents));
}
