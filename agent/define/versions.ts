import { HoldfastError } from '../errors/error';
import { newestLast, ONLY_VERSION } from '../values/version';
import type { AgentDefinition, AgentVersion } from './agent-definition';

/** Numbers of the versions of an agent's contract, the oldest first. */
export function versionNumbers({ versions }: Pick<AgentDefinition, 'versions'>): string[] {
  return versions === undefined ? [ONLY_VERSION] : newestLast(Object.keys(versions));
}

/** The version that a caller gets who asks for none. */
export function newestVersion(agent: Pick<AgentDefinition, 'versions'>): string {
  return versionNumbers(agent).at(-1) ?? ONLY_VERSION;
}

/**
 * The agent as a caller of one version of its contract knows it.
 * @param version default: the newest
 * @throws HoldfastError `UnknownVersion`
 */
export function definitionAt(definition: AgentDefinition, version = newestVersion(definition)): AgentDefinition {
  const known = versionNumbers(definition);
  if (!known.includes(version)) throw new HoldfastError('UnknownVersion', { agent: definition.name, version, known });
  const { versions = {}, ...agent } = definition;
  const own = versions[version];
  return own === undefined ? definition : { ...withoutPrompt(agent, own), ...own };
}

/** A version with `instructions` or a `contextBuilder` has neither of the agent. */
function withoutPrompt(agent: AgentDefinition, own: AgentVersion): AgentDefinition {
  const { instructions: _, contextBuilder: __, ...rest } = agent;
  return own.instructions === undefined && own.contextBuilder === undefined ? agent : rest;
}
