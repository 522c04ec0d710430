import { Context } from '@temporalio/activity';
import type { DescribeAgentResult } from '../../agent/activities';
import type { AgentDefinition, McpServer } from '../../agent/define-agent';
import { HoldfastError } from '../../agent/error';
import { jsonBytes } from '../../agent/json';
import { BYTES } from '../../agent/limits';
import type { ModelConfig } from '../../agent/model-config';
import { activityFailure } from '../failure';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import type { UnnamedTool } from './default-policy';
import { makeManifest } from './make-manifest';

export interface DescribeDeps {
  registry: Registry;
  pins: PinStore;
  searchAttributes: boolean;
  /** The worker makes spans. */
  traced?: boolean;
  /** The worker's models by alias. */
  models?: Readonly<Record<string, Pick<ModelConfig, 'contextWindow'>>>;
  /** Definition of an agent's MCP server, aliases resolved. */
  serverOf(agent: AgentDefinition, server: string): McpServer;
  discover(server: string, definition: McpServer, signal: AbortSignal): Promise<UnnamedTool[]>;
}

/** Attempts after which an MCP server that does not start is told instead of tried again. */
const SERVER_ATTEMPTS = 2;

/** `holdfast.describeAgent`: the agent as this worker knows it now, its MCP servers' tools included. */
export function createDescribeAgent(deps: DescribeDeps): () => Promise<DescribeAgentResult> {
  return () =>
    interruptible(async (signal) => {
      const { workflowType, attempt } = Context.current().info;
      try {
        const agent = deps.registry.get(workflowType ?? '');
        const servers = Object.keys(agent.mcp ?? {});
        const found = await Promise.all(servers.map((name) => deps.discover(name, deps.serverOf(agent, name), signal)));
        const manifest = makeManifest(agent, found.flat(), deps);
        checkSize(agent, manifest);
        return { manifest, hash: deps.pins.put(manifest) };
      } catch (error) {
        if (!(error instanceof HoldfastError)) throw error;
        const retry = error.type === 'UnknownAgent' || (error.type === 'McpServerFailed' && attempt < SERVER_ATTEMPTS);
        throw activityFailure(error, { retry });
      }
    });
}

function checkSize(agent: AgentDefinition, manifest: object): void {
  const bytes = jsonBytes(manifest);
  if (bytes <= BYTES.context) return;
  throw new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent.name}\``,
    problem: `Its tools and schemas are ${bytes} bytes, at most ${BYTES.context} are possible; give it fewer tools`,
  });
}
