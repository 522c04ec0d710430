import { checkNames } from '../../activities/registry';
import type { Agent } from '../../agent/define/agent-definition';
import { HoldfastError } from '../../agent/errors/error';
import type { Config } from '../../runtime/config/config';
import { invalidSetting, type Setting } from '../../runtime/config/invalid-setting';
import { importModule } from './load-module';

/**
 * The agents that the configured modules export, under any name. TypeScript is loaded directly.
 * @throws HoldfastError `InvalidDefinition` and `ModuleNotLoaded`, with file and line, and `InvalidConfig`
 */
export async function loadAgents(config: Config): Promise<Agent[]> {
  const found = new Set<Agent>();
  for (const [index, path] of config.agents.entries()) {
    const module = await importModule(path, agentsSetting(index), config);
    const agents = [module, ...Object.values(module)].flatMap(agentsIn);
    if (agents.length === 0) {
      const problem = `${path} exports no agent; export what \`defineAgent\` returns`;
      throw await invalidSetting(config, agentsSetting(index), problem);
    }
    for (const agent of agents) found.add(agent);
  }
  checkNames([...found]);
  return [...found];
}

/** One of the modules under `agents`. */
export function agentsSetting(index: number): Setting {
  return { name: 'agents', at: ['agents', index] };
}

/** The error of a worker without agents: it says whether the setting is missing, or the whole file. */
export function noAgents({ file, dir }: Pick<Config, 'file' | 'dir'>): HoldfastError {
  const problem =
    file === undefined
      ? `There is no such file in ${dir} or a folder above. \`holdfast init <folder>\` writes a project with one`
      : 'There are no agents; name the module that exports them under `agents`';
  return new HoldfastError('InvalidConfig', { file: file ?? 'temporal.yaml', problem });
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
