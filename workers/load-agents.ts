import { createJiti } from 'jiti';
import type { Agent } from '../agent/define/agent-definition';
import { HoldfastError } from '../agent/errors/error';
import type { Config } from '../runtime/config/config';
import { isUserFile, loadFailure } from './load-failure';

/**
 * The agents that the configured modules export, under any name. TypeScript is loaded directly.
 * @throws HoldfastError `InvalidDefinition` and `ModuleNotLoaded`, with file and line, and `InvalidConfig`
 */
export async function loadAgents(config: Config): Promise<Agent[]> {
  const jiti = createJiti(__filename);
  const found = new Set<Agent>();
  for (const path of config.agents) {
    const module = await importModule(jiti, path, config);
    const agents = [module, ...Object.values(module)].flatMap(agentsIn);
    if (agents.length === 0)
      throw fault(config, `\`agents\`: ${path} exports no agent; export what \`defineAgent\` returns`);
    for (const agent of agents) found.add(agent);
  }
  return [...found];
}

/** The error of a worker without agents: it says whether the setting is missing, or the whole file. */
export function noAgents({ file, dir }: Pick<Config, 'file' | 'dir'>): HoldfastError {
  const problem =
    file === undefined
      ? `There is no such file in ${dir} or a folder above. \`holdfast init <folder>\` writes a project with one`
      : 'There are no agents; name the module that exports them under `agents`';
  return new HoldfastError('InvalidConfig', { file: file ?? 'temporal.yaml', problem });
}

/** The user's files that this process has loaded, broken ones included. */
export function loadedFiles(): string[] {
  return Object.keys(require.cache).filter(isUserFile);
}

async function importModule(jiti: ReturnType<typeof createJiti>, path: string, config: Config): Promise<object> {
  try {
    return await jiti.import<object>(path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    if (missing && error.message.includes(`'${path}'`)) throw fault(config, `\`agents\`: There is no module ${path}`);
    throw loadFailure(error, path);
  }
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
