const AGENT_NAME = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;

/**
 * Whether a text can be an agent's name: lower-case words joined by dots, at least two. A workflow type without a dot
 * could be a member of Object.prototype, which Temporal's worker would run instead of the agent.
 */
export function isAgentName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 200 && AGENT_NAME.test(name);
}
