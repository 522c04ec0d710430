import { ApplicationFailure, Context } from '@temporalio/activity';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { isBuiltIn } from '../../agent/define/built-in/built-in-tools';
import { definitionAt } from '../../agent/define/versions';
import { HoldfastError } from '../../agent/errors/error';
import type { ToolErrorType } from '../../agent/protocol/calls/tool-call';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import type { Registry } from '../registry';
import { activityFailure } from './activity-failure';

/**
 * The agent that an activity works for.
 * @throws ApplicationFailure `UnknownAgent` if this worker does not have it: another worker of the queue may, so the
 * workflow schedules the activity again, see workflows/run/scheduling/patient-activity.ts. The server must not retry
 * it: that would use up the only attempt of a `once` tool.
 * @param options.begun as for {@link toolMissing}
 */
export function agentAtHand(registry: Registry, { begun = false }: { begun?: boolean } = {}): AgentDefinition {
  return orMissing(() => registry.get(Context.current().info.workflowType ?? ''), begun);
}

/**
 * The same, as the callers of one version of its contract know it.
 * @param version `undefined`: the newest
 * @throws ApplicationFailure `UnknownAgent`, `UnknownVersion`
 */
export function versionAtHand(registry: Registry, version: string | undefined): AgentDefinition {
  const agent = agentAtHand(registry);
  return orMissing(() => definitionAt(agent, version), false);
}

/** What {@link agentAtHand} throws at the first attempt. */
export function agentMissing({ names }: Registry): ApplicationFailure {
  const agent = Context.current().info.workflowType ?? '';
  return activityFailure(new HoldfastError('UnknownAgent', { agent, known: names }));
}

function orMissing(find: () => AgentDefinition, begun: boolean): AgentDefinition {
  try {
    return find();
  } catch (error) {
    throw error instanceof HoldfastError ? activityFailure(error, { retry: begun }) : error;
  }
}

/**
 * This worker lacks what a call needs, and nothing was started.
 * @param options.begun an earlier attempt may have started it: then the server's retries decide, which count attempts
 */
export function toolMissing(message: string, { begun = false }: { begun?: boolean } = {}): ApplicationFailure {
  const type: ToolErrorType = 'ToolMissing';
  return ApplicationFailure.create({ type, message, nonRetryable: !begun });
}

/** Whether the agent, as this worker knows it, still has a tool that a run pinned. Any worker can search its tools. */
export function hasTool(agent: AgentDefinition, spec: ToolSpec): boolean {
  const { tools = {}, services = {}, mcp = {} } = agent;
  switch (spec.kind) {
    case 'internal':
      return Object.hasOwn(tools, spec.name) || isBuiltIn(agent, spec.name) || spec.name === SEARCH_TOOLS;
    case 'mcp':
      return Object.hasOwn(mcp, spec.mcp.server);
    case 'service':
      return Object.hasOwn(services, spec.name);
    case 'loop':
      return true;
  }
}
