import { Context } from '@temporalio/activity';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { McpServer } from '../../agent/define/mcp-server';
import { newestVersion } from '../../agent/define/versions';
import { HoldfastError } from '../../agent/errors/error';
import { BYTES } from '../../agent/limits';
import type { ModelConfig } from '../../agent/model/config';
import type { DescribeAgentInput, DescribeAgentResult } from '../../agent/protocol/activities';
import type { UnnamedTool } from '../../agent/protocol/manifest';
import { jsonBytes } from '../../agent/values/json';
import { versionOfSchema } from '../../agent/values/version';
import { interruptible } from '../heartbeat';
import { agentAtHand, versionAtHand } from '../missing';
import { attemptFailure } from '../patience';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { scanSkills } from '../skills/scan-skills';
import { makeManifest, startPatience } from './make-manifest';

export interface DescribeDeps {
  registry: Registry;
  pins: PinStore;
  searchAttributes: boolean;
  /** The worker makes spans. */
  traced?: boolean;
  /** The worker's models by alias. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** Definition of an agent's MCP server, with aliases resolved. */
  serverOf(agent: AgentDefinition, server: string): McpServer;
  discover(server: string, definition: McpServer, signal: AbortSignal): Promise<UnnamedTool[]>;
}

/** `holdfast.describeAgent`: the agent as this worker currently knows it, including the tools of its MCP servers. */
export function createDescribeAgent(deps: DescribeDeps): (asked?: DescribeAgentInput) => Promise<DescribeAgentResult> {
  return ({ version, dataschema } = {}) =>
    interruptible(async (signal) => {
      const name = Context.current().info.workflowType ?? '';
      try {
        const { versions } = agentAtHand(deps.registry);
        // Without versions, the schema of an event is its sender's own matter.
        const wanted = version ?? (versions && versionOfSchema(dataschema));
        const agent = versionAtHand(deps.registry, wanted);
        const contractVersion = versions && (wanted ?? newestVersion({ versions }));
        const servers = Object.keys(agent.mcp ?? {});
        const skills = agent.skills && (await scanSkills(agent.skills.root, `Agent \`${agent.name}\`.skills`));
        const found = await Promise.all(servers.map((key) => deps.discover(key, deps.serverOf(agent, key), signal)));
        const manifest = makeManifest(agent, found.flat(), { ...deps, skills, contractVersion });
        checkSize(agent, manifest);
        return { manifest, hash: deps.pins.put(manifest) };
      } catch (error) {
        throw attemptFailure(error, startPatience(deps.registry.find(name) ?? {}));
      }
    });
}

function checkSize(agent: AgentDefinition, manifest: object): void {
  const bytes = jsonBytes(manifest);
  if (bytes <= BYTES.context) return;
  throw new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent.name}\``,
    problem: `Its tools and schemas are ${bytes} bytes, more than the limit of ${BYTES.context}; give it fewer tools`,
  });
}
