const AGENT_NAME = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;

/** Prefix of the framework's own workflow types: an agent with such a name would never be run. */
const OWN = 'holdfast.';

/**
 * Whether a text can be the name of an agent: at least two lower-case words joined by dots, the first not `holdfast`. A
 * workflow type without a dot could be a member of Object.prototype, which Temporal's worker would run instead of the
 * agent.
 */
export function isAgentName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 200 && AGENT_NAME.test(name) && !name.startsWith(OWN);
}
