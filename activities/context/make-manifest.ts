import { analysisSpec } from '../../agent/analysis/analysis-spec';
import { breakerSpec } from '../../agent/breakers/breaker-spec';
import { budgetSpec } from '../../agent/budget/budget';
import { toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { modelAliases, purposeModels } from '../../agent/define/model-aliases';
import { DEFAULT_LIMITS, type Limits, MODEL_PATIENCE, SMALL_RESULT_CHARS } from '../../agent/limits';
import type { ModelConfig } from '../../agent/model/config';
import { nameTable } from '../../agent/model/names/name-table';
import { settingsOf, type ToolChoice } from '../../agent/model/settings';
import { isForced } from '../../agent/model/tool-choice';
import { DECISIONS } from '../../agent/protocol/decisions';
import type { Manifest, UnnamedTool } from '../../agent/protocol/manifest';
import type { SkillSpec } from '../../agent/protocol/prompt-spec';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import type { Json } from '../../agent/values/json';
import { modelSpec } from '../model/adapters/adapter-for';
import { priceSpecs } from '../model/budget/price-specs';
import { promptSpec } from '../prompt/prompt-spec';
import { contextSpec } from './context-spec';
import { readableSchema, readableTool } from './readable-tool';
import { modelClassOf, purposesOf, strategyOf } from './strategy-spec';
import { searchToolSpec, toolFilterSpec } from './tool-filter-spec';
import { toolSpecs } from './tool-specs';

/** What the worker adds to a manifest, beside the agent. */
interface Surroundings {
  searchAttributes: boolean;
  /** The histories of its runs are archived. */
  archives?: boolean;
  /** The worker makes spans of its runs. */
  traced?: boolean;
  /** By alias. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** What is in the agent's folder of skills. */
  skills?: SkillSpec[] | undefined;
  /** The version of the agent's contract, if it has several. */
  contractVersion?: string | undefined;
  /** The newest version of the decisions that the worker of the workflow knows. Default: the newest of this one. */
  decisions?: number | undefined;
}

/** The serialisable form of an agent, together with the tools that its MCP servers offer. */
export function makeManifest(
  definition: AgentDefinition,
  mcpTools: readonly UnnamedTool[],
  {
    searchAttributes,
    archives = false,
    traced = false,
    models = {},
    skills,
    contractVersion,
    decisions = DECISIONS,
  }: Surroundings,
): Manifest {
  // The class of its main model decides what the agent does not say.
  const agent = { ...definition, ...defined({ modelClass: modelClassOf(definition, models) }) };
  const all = toolSpecs(agent, mcpTools);
  const toolFilter = toolFilterSpec(agent, all, toolChoices(agent, models));
  const tools = toolFilter === undefined ? all : [...all, searchToolSpec(all)];
  const names = nameTable(tools.map((tool) => tool.name));
  return {
    version: 1,
    // In a rolling deploy one of both workers may be older.
    decisions: Math.min(decisions, DECISIONS),
    agent: agent.name,
    ...defined({ contractVersion, description: agent.description }),
    models: [agent.model ?? 'default'].flat(),
    ...purposesOf(agent),
    ...specsOf(agent, models),
    ...pricesOf(agent, models),
    ...defined({ budget: agent.budget && budgetSpec(agent.budget) }),
    modelPatience: patienceOf(agent, models),
    ...(agent.fallbackAnswer === undefined ? {} : { fallbackAnswer: agent.fallbackAnswer as Json }),
    tools: tools.map((tool) => ({ ...readableTool(tool), modelName: names.get(tool.name) ?? tool.name })),
    ...defined({ toolFilter }),
    ...(agent.outputSchema === undefined ? {} : { output: readableSchema(toJsonSchema(agent.outputSchema)) }),
    checksOutput: agent.outputSchema !== undefined || agent.outputBuilder !== undefined,
    limits: limitsOf(agent),
    ...windowOf(agent, models),
    ...defined({ context: contextSpec(agent.context, purposeModels(agent).summary), modelClass: agent.modelClass }),
    ...(agent.toolCalls === 'text' ? { toolCalls: agent.toolCalls } : {}),
    ...defined({ prompt: promptSpec(agent), skills }),
    ...progressOf(agent),
    ...strategyOf(agent),
    ...conversationOf(agent),
    ...(agent.execution === 'serial' ? { execution: 'serial' } : {}),
    ...pinnedSettings(agent, models),
    ...defined({ replies: agent.replies }),
    ...(agent.onStream === undefined ? {} : { observed: true }),
    ...(traced ? { traced: true } : {}),
    ...(archives ? { archives: true } : {}),
    searchAttributes,
  };
}

/** The models of the chain, and those of the strategy, that the worker has. */
function specsOf(
  definition: AgentDefinition,
  models: NonNullable<Surroundings['models']>,
): Pick<Manifest, 'modelSpecs'> {
  const { purposes = {} } = purposesOf(definition);
  const aliases = [definition.model ?? 'default', ...Object.values(purposes)].flat();
  const known = [...new Set(aliases)].flatMap((alias) => {
    const config = models[alias];
    return config === undefined ? [] : [[alias, modelSpec(config)] as const];
  });
  return known.length === 0 ? {} : { modelSpecs: Object.fromEntries(known) };
}

/** Of the models of the chain, and those with a purpose of their own, that have any. */
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
