import { createJiti } from 'jiti';
import type { Agent } from '../agent/define/agent-definition';
import { HoldfastError, messageOf } from '../agent/errors/error';
import type { Config } from '../runtime/config/config';

/** The agents that the configured modules export, under any name. TypeScript is loaded directly. */
export async function loadAgents(config: Config): Promise<Agent[]> {
  const jiti = createJiti(__filename);
  const found = new Set<Agent>();
  for (const path of config.agents) {
    const module = await importModule(jiti, path, config);
    const agents = [module, ...Object.values(module)].flatMap(agentsIn);
    if (agents.length === 0) throw fault(config, `${path} exports no agent; export what \`defineAgent\` returns`);
    for (const agent of agents) found.add(agent);
  }
  return [...found];
}

async function importModule(jiti: ReturnType<typeof createJiti>, path: string, config: Config): Promise<object> {
  try {
    return await jiti.import<object>(path);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw fault(config, `The module ${path} could not be loaded: ${problemOf(error)}`);
  }
}

/** The first line of an error, and the line that names the place, if there is one, as in parser errors. */
function problemOf(error: unknown): string {
  const place = error instanceof Error ? /^\s*\S+:\d+:\d+\s*$/m.exec(error.message)?.[0].trim() : undefined;
  return [messageOf(error).trim(), ...(place === undefined ? [] : [place])].join(' at ');
}

function agentsIn(exported: unknown): Agent[] {
  if (Array.isArray(exported)) return exported.flatMap(agentsIn);
  return isAgent(exported) ? [exported] : [];
}

function isAgent(value: unknown): value is Agent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'definition' in value &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

function fault(config: Config, problem: string): HoldfastError {
  return new HoldfastError('InvalidConfig', { file: config.file ?? 'temporal.yaml', problem });
}
