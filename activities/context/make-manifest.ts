import { analysisSpec } from '../../agent/analysis/analysis-spec';
import { breakerSpec } from '../../agent/breakers/breaker-spec';
import { budgetSpec } from '../../agent/budget/budget';
import { toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { builtInTools } from '../../agent/define/built-in-tools';
import { modelAliases } from '../../agent/define/model-aliases';
import type { AnyTool, RunPolicy } from '../../agent/define/tool-definition';
import {
  DEFAULT_LIMITS,
  type Limits,
  MODEL_PATIENCE,
  ONCE_HEARTBEAT_TIMEOUT,
  SMALL_RESULT_CHARS,
} from '../../agent/limits';
import type { ModelConfig } from '../../agent/model/config';
import { nameTable } from '../../agent/model/name-table';
import { settingsOf, type ToolChoice } from '../../agent/model/settings';
import { isForced } from '../../agent/model/tool-choice';
import type { Manifest, ToolSpec, UnnamedTool } from '../../agent/protocol/manifest';
import type { SkillSpec } from '../../agent/protocol/prompt-spec';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import type { Json } from '../../agent/values/json';
import { modelSpec } from '../model/adapters/adapter-for';
import { priceSpecs } from '../model/budget/price-specs';
import { promptSpec } from '../prompt/prompt-spec';
import { approvalSpec } from './approval-spec';
import { contextSpec } from './context-spec';
import { DEFAULT_POLICY, type Policy } from './default-policy';
import { loopToolSpecs } from './loop-tool-specs';
import { serviceTool } from './service-spec';
import { searchToolSpec, toolFilterSpec } from './tool-filter-spec';

/** What the worker adds to a manifest, beside the agent. */
interface Surroundings {
  searchAttributes: boolean;
  /** The worker makes spans of its runs. */
  traced?: boolean;
  /** By alias. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** What is in the agent's folder of skills. */
  skills?: SkillSpec[] | undefined;
}

/** The serialisable form of an agent, together with the tools that its MCP servers offer. */
export function makeManifest(
  agent: AgentDefinition,
  mcpTools: readonly UnnamedTool[],
  { searchAttributes, traced = false, models = {}, skills }: Surroundings,
): Manifest {
  const internal = Object.entries(agent.tools ?? {}).map(([name, tool]) => internalTool(name, tool));
  const services = Object.entries(agent.services ?? {}).map(([name, service]) => serviceTool(name, service));
  const all = [...internal, ...ownTools(agent), ...mcpTools, ...services, ...loopToolSpecs(agent)].map((tool) =>
    withHeartbeat(withPolicy(tool, agent.policies), agent),
  );
  const toolFilter = toolFilterSpec(agent, all, toolChoices(agent, models));
  const tools = toolFilter === undefined ? all : [...all, searchToolSpec(all)];
  const names = nameTable(tools.map((tool) => tool.name));
  return {
    version: 1,
    agent: agent.name,
    ...defined({ description: agent.description }),
    models: [agent.model ?? 'default'].flat(),
    ...specsOf(agent, models),
    ...pricesOf(agent, models),
    ...defined({ budget: agent.budget && budgetSpec(agent.budget) }),
    modelPatience: patienceOf(agent, models),
    ...(agent.fallbackAnswer === undefined ? {} : { fallbackAnswer: agent.fallbackAnswer as Json }),
    tools: tools.map((tool) => ({ ...tool, modelName: names.get(tool.name) ?? tool.name })),
    ...defined({ toolFilter }),
    ...(agent.outputSchema === undefined ? {} : { output: toJsonSchema(agent.outputSchema) }),
    checksOutput: agent.outputSchema !== undefined || agent.outputBuilder !== undefined,
    limits: limitsOf(agent),
    ...windowOf(agent, models),
    ...defined({ context: contextSpec(agent.context), modelClass: agent.modelClass }),
    ...(agent.toolCalls === 'text' ? { toolCalls: agent.toolCalls } : {}),
    ...defined({ prompt: promptSpec(agent), skills }),
    ...progressOf(agent),
    ...conversationOf(agent),
    ...(agent.execution === 'serial' ? { execution: 'serial' } : {}),
    ...pinnedSettings(agent, models),
    ...defined({ replies: agent.replies }),
    ...(agent.onStream === undefined ? {} : { observed: true }),
    ...(traced ? { traced: true } : {}),
    searchAttributes,
  };
}

/** The models of the chain that the worker has. */
function specsOf(
  { model = 'default' }: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): Pick<Manifest, 'modelSpecs'> {
  const known = [model].flat().flatMap((alias) => {
    const config = models[alias];
    return config === undefined ? [] : [[alias, modelSpec(config)] as const];
  });
  return known.length === 0 ? {} : { modelSpecs: Object.fromEntries(known) };
}

/** Of the models of the chain, and the one that writes summaries, that have any. */
function pricesOf(definition: AgentDefinition, models: NonNullable<Surroundings['models']>): Pick<Manifest, 'prices'> {
  const prices = priceSpecs(modelAliases(definition), models);
  return Object.keys(prices).length === 0 ? {} : { prices };
}

/** By alias, with defaults filled in. */
function patienceOf(
  { model = 'default', fallbackAnswer }: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): NonNullable<Manifest['modelPatience']> {
  const chain = [model].flat();
  const defaultOf = (place: number) =>
    place + 1 < chain.length || fallbackAnswer !== undefined ? MODEL_PATIENCE.followed : MODEL_PATIENCE.alone;
  return Object.fromEntries(chain.map((alias, place) => [alias, models[alias]?.patience ?? defaultOf(place)]));
}

/** The smallest known window of the chain, since each of its models may have to take the run over. */
function windowOf(
  { model = 'default' }: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): Pick<Manifest, 'contextWindow'> {
  const known = [model].flat().flatMap((alias) => models[alias]?.contextWindow ?? []);
  return known.length === 0 ? {} : { contextWindow: Math.min(...known) };
}

/** The tool choices of the models of the chain. That of the agent comes first. */
function toolChoices(
  { model = 'default', modelSettings }: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): (ToolChoice | undefined)[] {
  return [model].flat().map((alias) => modelSettings?.toolChoice ?? models[alias]?.toolChoice);
}

/** The agent's own settings, and whether one of its models has to call a tool first. */
function pinnedSettings(
  agent: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): Pick<Manifest, 'parallelToolCalls' | 'modelSettings' | 'forcesCall'> {
  const { modelSettings, parallelToolCalls } = agent;
  const { parallelToolCalls: said, extraHeaders: _, ...given } = modelSettings ?? {};
  const pinned = settingsOf(given);
  return {
    ...defined({ parallelToolCalls: parallelToolCalls ?? said }),
    ...(Object.keys(pinned).length === 0 ? {} : { modelSettings: pinned }),
    ...(toolChoices(agent, models).some(isForced) ? { forcesCall: true } : {}),
  };
}

function conversationOf({
  mode,
  idle,
  loopTools = [],
}: AgentDefinition): Pick<Manifest, 'mode' | 'idle' | 'completes'> {
  const wait = milliseconds(idle);
  return {
    ...(mode === 'conversation' ? { mode } : {}),
    ...defined({ idle: wait }),
    ...(loopTools.includes('task_completion') ? { completes: true } : {}),
  };
}

function internalTool(name: string, tool: AnyTool): UnnamedTool {
  return {
    name,
    kind: 'internal',
    description: tool.description,
    inputSchema: toJsonSchema(tool.inputSchema),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: toJsonSchema(tool.outputSchema) }),
    ...DEFAULT_POLICY,
    ...resolved(tool),
    ...serialOf(tool),
    ...approvalOf(tool),
    ...(tool.undo === undefined ? {} : { undo: true }),
  };
}

/** Those of its folders of files and of skills. */
function ownTools(agent: AgentDefinition): UnnamedTool[] {
  return builtInTools(agent).map((tool) => ({ ...tool, kind: 'internal', ...DEFAULT_POLICY, effect: 'read' }));
}

/** The operator's policies for single tools override what the tools, or a server's hints, declare. */
function withPolicy(tool: UnnamedTool, policies: AgentDefinition['policies'] = {}): UnnamedTool {
  const policy = Object.hasOwn(policies, tool.name) ? policies[tool.name] : undefined;
  if (policy === undefined) return tool;
  const { approval, serial } = tool;
  const kept = policy.approval === undefined && approval !== undefined ? { approval } : approvalOf(policy);
  if (tool.kind !== 'service') {
    const expires = milliseconds(policy.questionsExpire);
    const { approval: _, serial: __, ...rest } = tool;
    const given = { ...rest, ...resolved(policy), ...serialOf(policy, serial), ...kept };
    if (given.kind === 'mcp' && expires !== undefined) given.mcp = { ...given.mcp, questionsExpire: expires };
    // The hints of its server may show that an MCP tool only reads.
    return policy.undo === undefined || given.effect === 'read' ? given : { ...given, undo: true };
  }
  // A service is limited by how long the run waits, not by an attempt of an activity.
  const { timeout, ...given } = resolved(policy);
  const service = timeout === undefined ? tool.service : { ...tool.service, timeout };
  const { approval: _, serial: __, ...rest } = tool;
  return { ...rest, ...given, ...serialOf(policy, serial), ...kept, service };
}

/** Sets the heartbeat timeout of a `once` call that has none configured. */
function withHeartbeat(tool: UnnamedTool, { limits = {} }: AgentDefinition): UnnamedTool {
  const isActivity = tool.kind === 'internal' || tool.kind === 'mcp';
  const isGiven = tool.heartbeatTimeout !== undefined || limits.heartbeatTimeout !== undefined;
  return isActivity && tool.effect === 'once' && !isGiven
    ? { ...tool, heartbeatTimeout: ONCE_HEARTBEAT_TIMEOUT }
    : tool;
}

function approvalOf({ approval }: RunPolicy): Pick<ToolSpec, 'approval'> {
  const spec = approvalSpec(approval);
  return defined({ approval: spec });
}

/** A serial tool of a serial server stays in line with the other tools of that server. */
function serialOf({ execution }: RunPolicy, before?: ToolSpec['serial']): Pick<ToolSpec, 'serial'> {
  const serial = execution === 'parallel' ? undefined : (before ?? (execution === 'serial' ? 'tool' : undefined));
  return defined({ serial });
}

function resolved({
  effect,
  priority,
  timeout,
  heartbeatTimeout,
  attempts,
  placement,
  cancellation,
}: RunPolicy): Partial<Policy> {
  const given = {
    effect,
    priority,
    timeout: milliseconds(timeout),
    heartbeatTimeout: milliseconds(heartbeatTimeout),
    attempts,
    placement,
    cancellation,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What helps a model that makes no progress. */
function progressOf({
  modelClass,
  breakers,
  responseAnalysis,
  repairNames = modelClass === 'small',
}: AgentDefinition): Pick<Manifest, 'breakers' | 'analysis' | 'nameRepair'> {
  const nameRepair = repairNames === true ? {} : repairNames;
  return {
    breakers: breakerSpec(breakers, modelClass),
    ...defined({ analysis: analysisSpec(responseAnalysis, modelClass) }),
    ...(nameRepair === false ? {} : { nameRepair }),
  };
}

function limitsOf({ limits = {}, modelClass }: AgentDefinition): Limits {
  const chars = modelClass === 'small' ? SMALL_RESULT_CHARS : DEFAULT_LIMITS.maxResultChars;
  return {
    maxToolInteractions: limits.maxToolInteractions ?? DEFAULT_LIMITS.maxToolInteractions,
    maxResultChars: limits.maxResultChars ?? chars,
    heartbeatTimeout: milliseconds(limits.heartbeatTimeout) ?? DEFAULT_LIMITS.heartbeatTimeout,
    modelTimeout: milliseconds(limits.modelTimeout) ?? DEFAULT_LIMITS.modelTimeout,
    startPatience: startPatience({ limits }),
    maxOutputAttempts: limits.maxOutputAttempts ?? DEFAULT_LIMITS.maxOutputAttempts,
  };
}

/** How many milliseconds the start and the end of an agent's runs are retried. */
export function startPatience({ limits = {} }: Pick<AgentDefinition, 'limits'>): number {
  return milliseconds(limits.startPatience) ?? DEFAULT_LIMITS.startPatience;
}
