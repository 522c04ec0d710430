import { Context } from '@temporalio/activity';
import { ACTIVITY, type CallModelInput } from '../agent/activities';
import type { Log } from '../agent/context';
import type { AgentDefinition, McpServer } from '../agent/define-agent';
import { HoldfastError } from '../agent/error';
import type { ModelConfig } from '../agent/model-config';
import type { StreamBus } from '../agent/stream';
import { createBuildContext } from './context/build-context';
import { createBuildOutput } from './context/build-output';
import { createDescribeAgent } from './context/describe-agent';
import { callMcpTool, discoverTools, type McpConnections } from './mcp';
import { createCallModel } from './model';
import type { Registry } from './registry';
import { PinStore } from './run/pins';
import { TranscriptCache } from './run/transcripts';
import { createRunTool } from './tools/run-tool';

/** What the activities of one worker stand on. */
export interface ActivityDeps {
  registry: Registry;
  models: Readonly<Record<string, ModelConfig>>;
  /** MCP servers by alias. */
  mcp: Readonly<Record<string, McpServer>>;
  connections: McpConnections;
  bus: StreamBus;
  log: Log;
  searchAttributes: boolean;
}

/** All activities of a worker: the framework's by name, and `default`, which answers to the name of every tool. */
export function createActivities(deps: ActivityDeps) {
  const { registry, connections, log } = deps;
  const pins = new PinStore();
  const transcripts = new TranscriptCache();
  const serverOf = (agent: AgentDefinition, server: string) => resolveServer(agent, server, deps.mcp);

  async function load(input: CallModelInput) {
    const runId = Context.current().info.workflowExecution?.runId ?? '';
    const [pinned, messages] = await Promise.all([pins.both(input.pin), transcripts.load(runId, input)]);
    return { ...pinned, messages };
  }

  return {
    [ACTIVITY.describeAgent]: createDescribeAgent({
      ...deps,
      pins,
      serverOf,
      discover: (server, definition, signal) => discoverTools(connections, server, definition, signal),
    }),
    [ACTIVITY.buildContext]: createBuildContext({ registry, pins, log }),
    [ACTIVITY.callModel]: createCallModel({
      ...deps,
      load,
      maskOf: (agent) => registry.find(agent)?.mediaMask,
    }),
    [ACTIVITY.buildOutput]: createBuildOutput({ registry, pins, log }),
    default: createRunTool({
      registry,
      pins,
      bus: deps.bus,
      log,
      serverOf,
      callMcp: (definition, tool, input, call) => callMcpTool(connections, definition, tool, input, call),
    }),
  };
}

/** Aliases were checked when the worker started, see the worker room. */
function resolveServer(
  agent: AgentDefinition,
  server: string,
  aliases: Readonly<Record<string, McpServer>>,
): McpServer {
  const given = agent.mcp?.[server];
  const definition = typeof given === 'string' ? aliases[given] : given;
  if (definition !== undefined) return definition;
  const place = `Agent \`${agent.name}\`.mcp.${server}`;
  throw new HoldfastError('InvalidDefinition', { place, problem: 'The agent no longer has this MCP server' });
}
