import { Context } from '@temporalio/activity';
import type { AgentDefinition } from '../agent/define/agent-definition';
import type { Log } from '../agent/define/context';
import type { McpServer } from '../agent/define/mcp-server';
import type { Outlet } from '../agent/define/outlet';
import { HoldfastError } from '../agent/errors/error';
import type { ModelConfig } from '../agent/model/config';
import { ACTIVITY } from '../agent/protocol/activities';
import type { CallModelInput } from '../agent/protocol/calls/model-call';
import type { StreamBus } from '../agent/protocol/stream';
import { defined } from '../agent/values/defined';
import type { Tracing } from '../runtime/telemetry/make-spans';
import { createRulesCheck, readGrants, writeGrants } from './approvals';
import { createBuildContext } from './context/build-context';
import { createDescribeAgent } from './context/describe-agent';
import { agentAtHand } from './failures/missing';
import type { LoopWatch } from './loop-watch';
import { callMcpTool, discoverTools, type McpConnections } from './mcp';
import {
  CircuitBreaker,
  createCallModel,
  createCheckModel,
  createCompact,
  createCountMessage,
  createTellRun,
  wakeCall,
} from './model';
import type { Leases } from './model/leases/leases';
import { createBuildOutput } from './output/validate-output';
import type { DeltaSinks } from './publish-delta';
import { checkReply } from './questions/check-reply';
import type { Registry } from './registry';
import { archiveHistory } from './run/archive-history';
import { PinStore } from './run/pins';
import { createReadAgain } from './run/read-again';
import { TranscriptCache } from './run/transcripts';
import { createCheckAnswers } from './services/check-answers';
import { createCheckArguments } from './services/check-arguments';
import { createServiceCallsCheck } from './services/check-calls';
import { createSendEvent } from './services/send-event';
import type { Ranker } from './tool-filter/ranker';
import { Rankers } from './tool-filter/rankers';
import { LateOutcomes } from './tools/late-outcomes';
import { createRunTool, type ToolDeps } from './tools/run-tool';
import { createRunWithAnswer } from './tools/run-with-answer';
import { createUndoTool } from './tools/undo-tool';

/** What the activities of one worker depend on. */
export interface ActivityDeps {
  registry: Registry;
  models: Readonly<Record<string, ModelConfig>>;
  /** MCP servers by alias. */
  mcp: Readonly<Record<string, McpServer>>;
  /** Outlets by the names that services use for them. */
  outlets: Readonly<Record<string, Outlet>>;
  connections: McpConnections;
  bus: StreamBus;
  log: Log;
  leases: Pick<Leases, 'during'>;
  searchAttributes: boolean;
  /** The storage has an archive. */
  archives: boolean;
  /** Makes spans; missing if the environment names no endpoint for them. */
  tracing?: Tracing | undefined;
  /** Detects functions that block the worker. */
  watch: LoopWatch;
  /** Rank the tools of agents with a tool filter. Default: by their words. */
  rankers?: Readonly<Record<string, Ranker>>;
  /** Passes a delta to an agent's `onStream`. */
  listener?: DeltaSinks['listener'];
}

/** All activities of a worker: the framework's by name, and `default`, which handles the name of every tool. */
export function createActivities(deps: ActivityDeps) {
  const { registry, connections, log, tracing, watch } = deps;
  const pins = new PinStore();
  const transcripts = new TranscriptCache();
  const rankers = new Rankers(deps.rankers ?? {}, log);
  const serverOf = (agent: AgentDefinition, server: string) => resolveServer(agent, server, deps.mcp);

  async function load(input: Pick<CallModelInput, 'pin' | 'prefix' | 'transcript' | 'delta' | 'trimming'>) {
    // Another project's worker may know the model's alias: it must not answer for an agent that it does not have.
    agentAtHand(registry);
    const hash = input.trimming?.summary;
    const [pinned, messages, summary] = await Promise.all([
      pins.both(input.pin),
      transcripts.load(runIdHere(), input),
      hash === undefined ? undefined : pins.summary(hash),
    ]);
    return { ...pinned, messages, ...defined({ summary }) };
  }

  const calling = {
    ...deps,
    load,
    rankers,
    breaker: new CircuitBreaker(log),
    tellRun: createTellRun(log),
    maskOf: (agent: string) => registry.find(agent)?.mediaMask,
    sections: { agentOf: (agent: string) => registry.find(agent), watch, log },
    headersOf: (agent: string) => registry.find(agent)?.modelSettings?.extraHeaders,
  };

  const tools: ToolDeps = {
    ...deps,
    pins,
    rankers,
    late: new LateOutcomes(log),
    serverOf,
    callMcp: (definition, tool, input, call) => callMcpTool(connections, definition, tool, input, call),
  };

  return {
    [ACTIVITY.describeAgent]: createDescribeAgent({
      ...deps,
      pins,
      serverOf,
      discover: (server, definition, signal) => discoverTools(connections, server, definition, signal),
    }),
    [ACTIVITY.readAgain]: createReadAgain(pins),
    [ACTIVITY.archive]: archiveHistory,
    [ACTIVITY.buildContext]: createBuildContext({ registry, pins, log, tracing, watch }),
    [ACTIVITY.callModel]: createCallModel({
      ...calling,
      checkServiceCalls: createServiceCallsCheck({ registry }),
      judge: createRulesCheck({ registry, log, watch }),
      runTools: createRunWithAnswer(tools),
      expect: ({ transcript }, message) => transcripts.expect(runIdHere(), transcript, message),
    }),
    [ACTIVITY.compact]: createCompact({
      ...calling,
      keep: (summary) => pins.put(summary),
      agentOf: (agent) => registry.find(agent),
    }),
    [ACTIVITY.countMessage]: createCountMessage({
      ...calling,
      pinned(pin) {
        // A worker of another project may poll the queue, too.
        agentAtHand(registry);
        return pins.both(pin);
      },
    }),
    [ACTIVITY.buildOutput]: createBuildOutput({ registry, pins, log, watch }),
    [ACTIVITY.sendEvent]: createSendEvent(deps),
    [ACTIVITY.checkArguments]: createCheckArguments({ registry, pins, log, watch }),
    [ACTIVITY.checkAnswers]: createCheckAnswers({ registry, pins, log }),
    [ACTIVITY.checkReply]: checkReply,
    [ACTIVITY.checkModel]: createCheckModel(deps),
    [ACTIVITY.wakeCall]: wakeCall,
    [ACTIVITY.readGrants]: readGrants,
    [ACTIVITY.writeGrants]: writeGrants,
    [ACTIVITY.undoTool]: createUndoTool(tools),
    default: createRunTool(tools),
  };
}

/** Temporal's id of the run that the activity in progress belongs to. */
function runIdHere(): string {
  return Context.current().info.workflowExecution?.runId ?? '';
}

/** Aliases were checked when the worker started, see workers/. */
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
