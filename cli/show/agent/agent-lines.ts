import type { PriceSpec } from '../../../agent/budget/price-spec';
import type { ModelCapabilities } from '../../../agent/model/model-spec';
import type { ToolFilterSpec } from '../../../agent/tool-filter/tool-filter';
import type { JsonObject } from '../../../agent/values/json';
import { visible, visibleJson } from '../../../agent/values/visible';
import { oneLine } from '../../lines/facts/fact-line';
import { JSON_WAY, modelText } from '../../lines/facts/model-line';
import { columns, spoken } from '../table';
import type { AgentView, ModelView, ServerView } from './agent';
import { approvalLines } from './approval';
import { frameLines } from './frame';
import { loopToolLines } from './loop-tools';
import type { ToolPolicyView } from './policy';
import { serviceLines } from './service';

const HEADER = [
  'tool',
  'kind',
  'effect',
  'priority',
  'timeout',
  'heartbeat',
  'attempts',
  'placement',
  'cancel',
  'execution',
  'not by default',
];

/** An agent as lines for people. */
export function agentLines(view: AgentView): string[] {
  const { agent, description, models, purposes = {}, fallbackAnswer, limits, mcp, replies } = view;
  const { tools, services, approvals, unusedPolicies, skills, versions } = view;
  return [
    agent + (description === undefined ? '' : `: ${oneLine(description)}`),
    ...(versions === undefined ? [] : [`versions of its contract: ${versions.join(', ')}`]),
    '',
    ...columns([
      ...models.map((model, i) => [i === 0 ? 'models' : '', ...modelCells(model)]),
      ...Object.entries(purposes).map(([purpose, model]) => [purpose, ...modelCells(model)]),
      ...(fallbackAnswer === undefined ? [] : [['fallback', oneLine(JSON.stringify(fallbackAnswer))]]),
    ]),
    `limits  ${limits.maxToolInteractions} tool interactions, ${limits.maxOutputAttempts} output attempts, ${limits.maxResultChars} characters of a result, heartbeat ` +
      `${spoken(limits.heartbeatTimeout)}, model call ${spoken(limits.modelTimeout)}`,
    ...frameLines(view, limits),
    ...callLines(view),
    ...progressLines(view),
    ...(skills === undefined ? [] : [`skills  ${skills.join(', ')}`]),
    ...(replies === undefined ? [] : [`replies  through the outlet ${replies}`]),
    ...(mcp.length === 0 ? [] : ['', ...mcp.flatMap(mcpLines)]),
    '',
    ...toolLines(view),
    ...(services.length === 0 ? [] : ['', ...serviceLines(services)]),
    ...(approvals.length === 0 ? [] : ['', ...approvalLines(approvals, tools)]),
    ...unusedPolicies.map((name) => `! policies.${name}: the agent has no such tool`),
  ];
}

function toolLines({ tools, loopTools }: AgentView): string[] {
  if (tools.length + loopTools.length === 0) return ['It has no tools.'];
  return [
    ...(tools.length === 0 ? [] : columns([HEADER, ...tools.map(toolRow)])),
    ...(tools.length === 0 || loopTools.length === 0 ? [] : ['']),
    ...(loopTools.length === 0 ? [] : loopToolLines(loopTools)),
  ];
}

function callLines({ execution, toolCalls, parallelToolCalls }: AgentView): string[] {
  const said = [
    ...(toolCalls === undefined ? [] : ['in the text of an answer']),
    ...(execution === undefined ? [] : ['one after the other']),
    ...(parallelToolCalls === undefined ? [] : [`parallel_tool_calls: ${parallelToolCalls}`]),
  ];
  return said.length === 0 ? [] : [`calls  ${said.join(', ')}`];
}

/** When a model that makes no progress is helped or stopped, and which tools it is offered. */
function progressLines({ modelClass, breakers, responseAnalysis, repairsNames, toolFilter }: AgentView): string[] {
  const { identicalFailures, repeatedCalls, toolFailures, failedRounds, emptyAnswers } = breakers;
  const stops = [
    `a call that fails ${identicalFailures} times alike`,
    ...(toolFailures === undefined ? [] : [`a tool that fails ${toolFailures} times`]),
    ...(failedRounds === undefined ? [] : [`${failedRounds} answers with only failed calls`]),
    ...(repeatedCalls === 'skip' ? ['a call that was just made'] : []),
    ...(emptyAnswers === 'nudge' ? ['empty answers'] : []),
  ];
  const answers = [
    ...(responseAnalysis === undefined ? [] : ['sent back if they stop too early or avoid the work']),
    ...(responseAnalysis?.claims ? ['or claim a change that no tool made'] : []),
  ];
  return [
    ...(modelClass === undefined ? [] : ['class  small models']),
    `stops  ${stops.join(', ')}`,
    ...(answers.length === 0 ? [] : [`answers  ${answers.join(', ')}`]),
    ...(repairsNames ? ['names  of tools that do not exist are repaired'] : []),
    ...(toolFilter === undefined ? [] : [`offers  ${offeredText(toolFilter)}`]),
  ];
}

function offeredText({ top, always }: ToolFilterSpec): string {
  return [`${top} tools by similarity`, ...(always.length === 0 ? [] : [`always ${always.join(', ')}`])].join(', ');
}

function modelCells({ alias, model, address = '', adapter = '', settings, capabilities, prices }: ModelView): string[] {
  if (model === undefined) return [alias, '✗ not under `models` in temporal.yaml'];
  const said = [
    ...(settings === undefined ? [] : [settingsText(settings)]),
    ...(capabilities === undefined ? [] : capabilityTexts(capabilities)),
    ...(prices === undefined ? [] : [pricesText(prices)]),
  ];
  return [alias, modelText({ model, address, adapter }), ...(said.length === 0 ? [] : [said.join('; ')])];
}

function pricesText({ prompt, completion, currency }: PriceSpec): string {
  return `a million tokens cost at most ${prompt} ${currency} (prompt) and ${completion} ${currency} (completion)`;
}

/** What differs from most models. */
function capabilityTexts({ structuredOutput, unsent = [], marksPrefixes }: ModelCapabilities): string[] {
  return [
    ...(structuredOutput === 'schema' ? [] : [`asked for JSON by ${JSON_WAY[structuredOutput]}`]),
    ...(marksPrefixes ? ['marks what is cached'] : []),
    ...(unsent.length === 0 ? [] : [`cannot send ${unsent.join(', ')}`]),
  ];
}

function settingsText(settings: JsonObject): string {
  const said = Object.entries(settings).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? visibleJson(value) : visible(String(value))}`,
  );
  return oneLine(said.join(', '));
}

function mcpLines({ server, alias, where, trusted, tools, problem }: ServerView): string[] {
  const what = alias === undefined || alias === server ? server : `${server} (${alias})`;
  const believed = trusted ? 'trusted' : 'not trusted, its hints do not count';
  if (problem !== undefined) return [`✗ mcp ${what}: ${problem} Its tools are missing below.`];
  return [`✓ mcp ${what}: ${tools} ${tools === 1 ? 'tool' : 'tools'}, ${believed}, ${where}`];
}

function toolRow(tool: ToolPolicyView): string[] {
  const notes = Object.entries(tool.from).map(([field, origin]) => `${NAME[field] ?? field}: ${origin}`);
  // Explains a `once` despite the hint.
  if (tool.untrustedHint !== undefined) notes.push(`MCP hint (untrusted): ${tool.untrustedHint}`);
  return [
    tool.name,
    tool.kind,
    tool.effect,
    String(tool.priority),
    spoken(tool.timeout),
    spoken(tool.heartbeatTimeout),
    String(tool.attempts),
    tool.placement,
    tool.cancellation,
    tool.execution,
    notes.join(', '),
  ];
}

const NAME: { readonly [field: string]: string } = { heartbeatTimeout: 'heartbeat', cancellation: 'cancel' };
