import { Context } from '@temporalio/activity';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { McpServer } from '../../agent/define/mcp-server';
import { newestVersion } from '../../agent/define/versions';
import { HoldfastError } from '../../agent/errors/error';
import { BYTES } from '../../agent/limits';
import type { ModelConfig } from '../../agent/model/config';
import type { ContextInput, DescribeAgentInput, DescribeAgentResult } from '../../agent/protocol/activities';
import type { Manifest, UnnamedTool } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { versionOfSchema } from '../../agent/values/version';
import { agentAtHand, versionAtHand } from '../failures/missing';
import { attemptFailure } from '../failures/patience';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { scanSkills } from '../skills/scan-skills';
import { hasContextFunctions, type MadeContext, type MakingDeps, makeContext } from './make-context';
import { makeManifest, startPatience } from './make-manifest';

export interface DescribeDeps extends MakingDeps {
  registry: Registry;
  pins: PinStore;
  searchAttributes: boolean;
  archives: boolean;
  /** The worker's models by alias. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** Definition of an agent's MCP server, with aliases resolved. */
  serverOf(agent: AgentDefinition, server: string): McpServer;
  discover(server: string, definition: McpServer, signal: AbortSignal): Promise<UnnamedTool[]>;
}

/**
 * `holdfast.describeAgent`: the agent as this worker currently knows it, including the tools of its MCP servers. Where
 * that takes no function of the agent, the context of the run as well, which saves `holdfast.buildContext`.
 */
export function createDescribeAgent(deps: DescribeDeps): (asked?: DescribeAgentInput) => Promise<DescribeAgentResult> {
  return ({ version, dataschema, start, decisions } = {}) =>
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
        const traced = deps.tracing !== undefined;
        const manifest = makeManifest(agent, found.flat(), { ...deps, traced, skills, contractVersion, decisions });
        const room = BYTES.context - checkedSize(agent, manifest);
        const made = start && (await contextToo(agent, manifest, start, deps));
        const built = made && jsonBytes(made) <= room ? { ...made, hash: deps.pins.put(made.context) } : undefined;
        return { manifest, hash: deps.pins.put(manifest), ...defined({ built }) };
      } catch (error) {
        throw attemptFailure(error, startPatience(deps.registry.find(name) ?? {}));
      }
    });
}

/**
 * The context of the run, if no function of its agent takes part. After an error it is left to `holdfast.buildContext`,
 * which reports it and decides how long to try; so it is after an attempt that did not return.
 */
async function contextToo(
  agent: AgentDefinition,
  manifest: Manifest,
  start: ContextInput,
  deps: MakingDeps,
): Promise<MadeContext | undefined> {
  if (hasContextFunctions(agent) || Context.current().info.attempt > 1) return undefined;
  return makeContext(agent, manifest, start, deps).catch(() => undefined);
}

function checkedSize(agent: AgentDefinition, manifest: Manifest): number {
  const bytes = jsonBytes(manifest);
  if (bytes <= BYTES.context) return bytes;
  throw new HoldfastError('InvalidDefinition', {
    place: `Agent \`${agent.name}\``,
    problem: `Its tools and schemas are ${bytes} bytes, more than the limit of ${BYTES.context}; give it fewer tools, or name those that it needs in \`tools\` of its MCP servers`,
  });
}
