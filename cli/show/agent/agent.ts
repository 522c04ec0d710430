import { makeManifest } from '../../../activities/context/make-manifest';
import { discoverTools, McpConnections } from '../../../activities/mcp';
import { commandLine } from '../../../activities/mcp/command-line';
import { shownUrl, withoutSecrets } from '../../../activities/mcp/secrets';
import { adapterFor, capabilitiesOf } from '../../../activities/model/adapters/adapter-for';
import { scanSkills } from '../../../activities/skills/scan-skills';
import { type BreakerSpec, breakerSpec } from '../../../agent/breakers/breaker-spec';
import type { PriceSpec } from '../../../agent/budget/price-spec';
import type { Agent, AgentDefinition } from '../../../agent/define/agent-definition';
import { isHttpServer, type McpServer } from '../../../agent/define/mcp-server';
import { purposeModels } from '../../../agent/define/model-aliases';
import { definitionAt, versionNumbers } from '../../../agent/define/versions';
import { messageOf } from '../../../agent/errors/error';
import type { Limits } from '../../../agent/limits';
import type { ModelCapabilities } from '../../../agent/model/model-spec';
import { mergeSettings } from '../../../agent/model/settings';
import type { Manifest, UnnamedTool } from '../../../agent/protocol/manifest';
import type { ToolFilterSpec } from '../../../agent/tool-filter/tool-filter';
import { defined } from '../../../agent/values/defined';
import type { Json, JsonObject } from '../../../agent/values/json';
import type { Config } from '../../../runtime/config/config';
import { shownSettings } from '../../../runtime/secrets/settings-secrets';
import { type ApprovalView, approvalViews } from './approval';
import { type FrameView, frameView } from './frame';
import { type LoopToolView, loopToolViews } from './loop-tools';
import { policyView, type ToolPolicyView } from './policy';
import { type ServiceView, serviceViews } from './service';

/** One model of an agent's chain. */
export interface ModelView {
  alias: string;
  /** Missing if temporal.yaml has no such alias. */
  model?: string;
  /** The provider, such as the address of a server. */
  address?: string;
  /** How it answers this agent: the settings of the alias, and the agent's own before them. Without secrets. */
  settings?: JsonObject;
  /** The kind of adapter that speaks with it, such as `chat`. */
  adapter?: string;
  /** What can be asked of it; a run pins it. */
  capabilities?: ModelCapabilities;
  /** Money for a million tokens at most: the prompt at its dearest, cached or not. Missing: it has none. */
  prices?: PriceSpec;
}

/** One MCP server of an agent. */
export interface ServerView {
  /** The agent's key for it. */
  server: string;
  /** Its name in temporal.yaml, if it is defined there. */
  alias?: string;
  /** Command or address, without secrets. */
  where?: string;
  trusted: boolean;
  /** How many tools it offers. Missing if there is a `problem`. */
  tools?: number;
  problem?: string;
}

/** An agent as it is defined on this machine now. A run keeps the definition that it pinned when it started. */
export interface AgentView extends FrameView {
  agent: string;
  description?: string;
  /** The chain. */
  models: ModelView[];
  /** Models with a purpose of their own, by the purpose. */
  purposes?: { [purpose: string]: ModelView };
  fallbackAnswer?: Json;
  limits: Limits;
  /** All calls of an answer run one after the other. Missing: each tool decides. */
  execution?: 'serial';
  /** The model calls tools in its text. */
  toolCalls?: 'text';
  /** The `parallel_tool_calls` that the model gets. Missing: not sent. */
  parallelToolCalls?: boolean;
  mcp: ServerView[];
  /** Excludes services, and tools of the loop. */
  tools: ToolPolicyView[];
  /** Tools that ask a person, or that end the loop. */
  loopTools: LoopToolView[];
  services: ServiceView[];
  /** Tools and services whose calls wait for a person. */
  approvals: ApprovalView[];
  /** Outlet for the answers to events that start a run. */
  replies?: string;
  /** Names of its skills. */
  skills?: string[];
  /** Versions of its contract, the oldest first. Missing: it has only one. */
  versions?: string[];
  /** The models are small or local ones. */
  modelClass?: 'small';
  /** When a model that makes no progress is stopped. */
  breakers: BreakerSpec;
  /** Answers that stop too early or avoid the work are sent back. `claims`: and those that claim a change. */
  responseAnalysis?: { claims: boolean };
  /** Names of tools that do not exist are repaired. */
  repairsNames?: true;
  /** The model is offered only the tools that it is likely to need. */
  toolFilter?: ToolFilterSpec;
  /** Names under `policies` that match no tool. */
  unusedPolicies: string[];
}

/** Views an agent as a worker with these models has it, and starts its MCP servers to list their tools. A server's problem is part of the view. */
export async function viewAgent({ name, definition }: Agent, config: Config): Promise<AgentView> {
  const connections = new McpConnections();
  try {
    const servers = Object.entries(definition.mcp ?? {});
    const looked = await Promise.all(servers.map(([key, given]) => lookAt(connections, key, given, config)));
    const found = looked.flatMap(({ tools }) => tools);
    const skills = definition.skills && (await scanSkills(definition.skills.root, `Agent \`${name}\`.skills`));
    const manifest = makeManifest(definitionAt(definition), found, {
      searchAttributes: false,
      models: config.models,
      skills,
    });
    const definitions = new Map(looked.map(({ view, definition: server }) => [view.server, server]));
    const { limits, models, description, fallbackAnswer, execution, toolCalls, parallelToolCalls } = manifest;
    return {
      agent: name,
      ...defined({ description }),
      models: models.map((alias) => modelView(alias, config, definition, manifest)),
      ...defined({ purposes: purposesView(definition, config, manifest) }),
      ...defined({ fallbackAnswer }),
      limits,
      ...frameView(manifest, definitionAt(definition)),
      ...defined({ execution, toolCalls, parallelToolCalls }),
      mcp: looked.map(({ view }) => view),
      tools: manifest.tools
        .filter(({ kind }) => kind !== 'service' && kind !== 'loop')
        .map((spec) =>
          policyView(spec, {
            agent: definition,
            limits,
            server: spec.kind === 'mcp' ? definitions.get(spec.mcp.server) : undefined,
          }),
        ),
      loopTools: loopToolViews(manifest.tools),
      services: serviceViews(manifest.tools, definition),
      approvals: approvalViews(manifest.tools, definition),
      ...defined({ replies: manifest.replies, skills: skills?.map((skill) => skill.name) }),
      ...defined({ versions: definition.versions && versionNumbers(definition) }),
      ...progressView(manifest),
      unusedPolicies: unused(
        definition,
        manifest.tools.map((tool) => tool.name),
        looked.flatMap(({ view }) => (view.problem === undefined ? [] : [view.server])),
      ),
    };
  } finally {
    await connections.close();
  }
}

/** What helps a model that makes no progress. */
function progressView({ modelClass, breakers, analysis, nameRepair, toolFilter }: Manifest) {
  return {
    breakers: breakers ?? breakerSpec({}, modelClass),
    ...defined({
      modelClass,
      responseAnalysis: analysis && { claims: analysis.claims === true },
      repairsNames: nameRepair && (true as const),
      toolFilter,
    }),
  };
}

async function lookAt(
  connections: McpConnections,
  server: string,
  given: string | McpServer,
  { mcp }: Config,
): Promise<{ view: ServerView; definition?: McpServer; tools: UnnamedTool[] }> {
  const alias = typeof given === 'string' ? { alias: given } : {};
  const definition = typeof given !== 'string' ? given : Object.hasOwn(mcp, given) ? mcp[given] : undefined;
  if (definition === undefined) {
    const problem = `There is no MCP server \`${String(given)}\` under \`mcp\` in temporal.yaml.`;
    return { view: { server, ...alias, trusted: false, problem }, tools: [] };
  }
  const view = { server, ...alias, where: whereIs(definition), trusted: definition.trusted === true };
  try {
    const tools = await discoverTools(connections, server, definition);
    return { view: { ...view, tools: tools.length }, definition, tools };
  } catch (error) {
    return { view: { ...view, problem: messageOf(error) }, definition, tools: [] };
  }
}

function whereIs(definition: McpServer): string {
  const where = isHttpServer(definition) ? shownUrl(definition) : commandLine(definition);
  return withoutSecrets(where, definition);
}

function modelView(
  alias: string,
  { models }: Config,
  { modelSettings = {}, parallelToolCalls }: AgentDefinition,
  { prices = {} }: Manifest,
): ModelView {
  const config = Object.hasOwn(models, alias) ? models[alias] : undefined;
  if (config === undefined) return { alias };
  const own = { ...modelSettings, ...defined({ parallelToolCalls }) };
  const settings = shownSettings(mergeSettings(config, own));
  const shown = Object.keys(settings).length === 0 ? {} : { settings };
  const { provider: address, kind: adapter } = adapterFor(config);
  return {
    alias,
    model: config.model,
    address,
    adapter,
    ...shown,
    capabilities: capabilitiesOf(config),
    ...defined({ prices: prices[alias] }),
  };
}

function purposesView(definition: AgentDefinition, config: Config, manifest: Manifest): AgentView['purposes'] {
  const purposes = Object.entries(purposeModels(definition));
  if (purposes.length === 0) return undefined;
  return Object.fromEntries(purposes.map(([name, alias]) => [name, modelView(alias, config, definition, manifest)]));
}

/** Policies that match no tool. Those for servers that were not reached do not count, since their tools are unknown. */
function unused({ policies = {} }: AgentDefinition, tools: readonly string[], unknown: readonly string[]): string[] {
  return Object.keys(policies).filter(
    (name) => !tools.includes(name) && !unknown.some((server) => name.startsWith(`${server}.`)),
  );
}

/** Whether a run would fail: a model is missing, or a server cannot be reached. */
export function isBroken({ models, purposes = {}, mcp }: AgentView): boolean {
  return (
    [...models, ...Object.values(purposes)].some(({ model }) => model === undefined) ||
    mcp.some(({ problem }) => problem !== undefined)
  );
}
