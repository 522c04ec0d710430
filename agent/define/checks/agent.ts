import { checkSchema } from '../../contracts/check-schema';
import { milliseconds } from '../../values/duration';
import type { AgentDefinition } from '../agent-definition';
import { isAgentName } from '../agent-name';
import { isBuiltIn } from '../built-in/built-in-tools';
import { checkTool } from '../tool';
import type { ToolPolicy } from '../tool-definition';
import { definitionAt, versionNumbers } from '../versions';
import { checkAgentBudget } from './budget';
import { checkConversation } from './conversation';
import { checkDuration, checkFields, checkRecord, fail, isRecord } from './fail';
import { checkContext } from './loop/context';
import { checkSections } from './loop/prompt';
import { checkSmallModels } from './loop/small-models';
import { checkStrategy } from './loop/strategy';
import { checkToolCalls } from './loop/tool-calls';
import { checkToolFilter } from './loop/tool-filter';
import { checkNames } from './names';
import { checkPolicy, executionProblem, POLICY } from './policy';
import { checkServer } from './server';
import { checkService } from './service';
import { checkSettings } from './settings';
import { checkVersions } from './versions';

const FIELDS = [
  'name',
  'description',
  'instructions',
  'prompt',
  'model',
  'inputSchema',
  'outputSchema',
  'versions',
  'tools',
  'mcp',
  'services',
  'replies',
  'files',
  'skills',
  'policies',
  'execution',
  'parallelToolCalls',
  'modelSettings',
  'modelClass',
  'toolCalls',
  'responseAnalysis',
  'breakers',
  'repairNames',
  'models',
  'strategy',
  'context',
  'fallbackAnswer',
  'limits',
  'budget',
  'contextBuilder',
  'outputBuilder',
  'mediaMask',
  'onStream',
  'mode',
  'idle',
  'loopTools',
  'questions',
  'toolFilter',
];
const RECORDS = ['tools', 'mcp', 'services', 'policies', 'questions', 'files', 'skills', 'limits'] as const;
const COUNTS = ['maxToolInteractions', 'maxResultChars', 'maxOutputAttempts'] as const;
const TIMES = ['heartbeatTimeout', 'modelTimeout', 'startPatience'] as const;

/** Checks a whole definition, so that an error shows when the module loads and not in a run. */
export function checkAgent(definition: AgentDefinition): void {
  if (typeof definition !== 'object' || definition === null) fail('defineAgent', 'Expected an object');
  const { name } = definition;
  if (!isAgentName(name)) {
    fail(
      'defineAgent.name',
      `Expected lower-case words joined by dots, at least two, the first not \`holdfast\`, such as \`support.triage\`, got \`${String(name)}\``,
    );
  }
  const place = `Agent \`${name}\``;
  checkVersions(definition, place);
  checkOne(definition, place);
  for (const version of definition.versions === undefined ? [] : versionNumbers(definition)) {
    checkOne(definitionAt(definition, version), `${place}.versions.${version}`);
  }
}

/** Checks an agent, or one version of it. */
function checkOne(definition: AgentDefinition, place: string): void {
  checkFields(definition, FIELDS, place);
  for (const field of RECORDS) checkRecord(definition[field], `${place}.${field}`);
  checkPrompt(definition, place);
  checkSections(definition, `${place}.prompt`);
  checkSchemas(definition, place);
  checkConversation(definition, place);
  checkNames(definition, place);
  for (const field of ['files', 'skills'] as const) checkFolder(definition[field], `${place}.${field}`);
  checkExecution(definition, place);
  checkSettings(definition, place);
  checkToolCalls(definition, place);
  checkContext(definition, place);
  checkSmallModels(definition, place);
  checkStrategy(definition, place);
  checkReplies(definition, place);
  checkToolFilter(definition, place);
  for (const [key, tool] of Object.entries(definition.tools ?? {})) checkTool(tool, `${place}.tools.${key}`);
  for (const [key, server] of Object.entries(definition.mcp ?? {})) checkServer(server, `${place}.mcp.${key}`);
  for (const [key, service] of Object.entries(definition.services ?? {}))
    checkService(service, `${place}.services.${key}`);
  for (const [tool, policy] of Object.entries(definition.policies ?? {}))
    checkPolicyOf(tool, policy, definition, place);
  checkFallback(definition, place);
  checkLimits(definition, `${place}.limits`);
  checkAgentBudget(definition, place);
}

function checkPrompt(definition: AgentDefinition, place: string): void {
  const { instructions, contextBuilder, outputBuilder, mediaMask, onStream, model } = definition;
  if (instructions !== undefined && typeof instructions !== 'string')
    fail(`${place}.instructions`, 'Expected a string');
  if (contextBuilder !== undefined && typeof contextBuilder !== 'function') {
    fail(`${place}.contextBuilder`, 'Expected a function');
  }
  if (instructions !== undefined && contextBuilder !== undefined) {
    fail(`${place}.contextBuilder`, 'It replaces `instructions`; keep one of them');
  }
  for (const [field, given] of Object.entries({ outputBuilder, mediaMask, onStream })) {
    if (given !== undefined && typeof given !== 'function') fail(`${place}.${field}`, 'Expected a function');
  }
  const chain = model === undefined ? ['default'] : [model].flat();
  if (chain.length === 0 || chain.some((alias) => typeof alias !== 'string' || alias === '')) {
    fail(`${place}.model`, 'Expected the alias of a model, or a list of them');
  }
  if (new Set(chain).size < chain.length) fail(`${place}.model`, 'A model is in the chain twice');
}

function checkSchemas({ inputSchema, outputSchema, outputBuilder }: AgentDefinition, place: string): void {
  if (inputSchema !== undefined) checkSchema(inputSchema, `${place}.inputSchema`);
  if (outputSchema === undefined) return;
  // What `outputBuilder` returns is checked before it becomes JSON.
  checkSchema(outputSchema, `${place}.outputSchema`, { from: outputBuilder === undefined ? 'json' : 'code' });
}

function checkPolicyOf(tool: string, policy: ToolPolicy, definition: AgentDefinition, place: string): void {
  const { tools = {}, mcp = {}, services = {} } = definition;
  const at = `${place}.policies.${tool}`;
  if (!isRecord(policy)) fail(at, 'Expected an object');
  if (Object.hasOwn(services, tool)) {
    checkServicePolicy(policy, at);
    return;
  }
  const own = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const known = own !== undefined || Object.hasOwn(mcp, tool.split('.', 1)[0] ?? '');
  // Which tools an MCP server has is known only when a run starts.
  const isFile = !known && isBuiltIn(definition, tool);
  if (!known && !isFile) fail(at, 'The agent has no such tool, no such service and no such MCP server');
  if (policy.undo !== undefined && (own !== undefined || isFile))
    fail(`${at}.undo`, 'Only for tools of MCP servers; a tool of the agent defines its own `undo`');
  checkFields(policy, POLICY, at);
  checkPolicy(own === undefined ? policy : { ...own, ...policy }, at);
}

/** The worker does not run a service: the service itself decides how it makes its attempts. */
function checkServicePolicy(policy: ToolPolicy, at: string): void {
  for (const field of Object.keys(policy)) {
    if (!['priority', 'timeout', 'execution', 'approval'].includes(field))
      fail(`${at}.${field}`, 'A service has no such policy, only `priority`, `timeout`, `execution` and `approval`');
  }
  checkPolicy(policy, at);
}

function checkFallback({ fallbackAnswer, outputSchema }: AgentDefinition, place: string): void {
  if (fallbackAnswer === undefined || outputSchema === undefined) return;
  const result = outputSchema['~standard'].validate(fallbackAnswer);
  // A schema with an asynchronous check cannot be used here.
  if (result instanceof Promise || result.issues === undefined) return;
  fail(`${place}.fallbackAnswer`, `It does not fit \`outputSchema\`: ${result.issues[0]?.message}`);
}

function checkFolder(folder: { root: string } | undefined, place: string): void {
  if (folder === undefined) return;
  checkFields(folder, ['root'], place);
  if (typeof folder.root !== 'string' || folder.root === '') fail(`${place}.root`, 'Expected the path of a folder');
}

function checkExecution({ execution, parallelToolCalls }: AgentDefinition, place: string): void {
  const problem = executionProblem(execution);
  if (problem !== undefined) fail(`${place}.execution`, problem);
  if (parallelToolCalls !== undefined && typeof parallelToolCalls !== 'boolean')
    fail(`${place}.parallelToolCalls`, `Expected \`true\` or \`false\`, got \`${String(parallelToolCalls)}\``);
}

function checkReplies({ replies }: AgentDefinition, place: string): void {
  if (replies === undefined || (typeof replies === 'string' && replies.trim() !== '')) return;
  fail(`${place}.replies`, 'Expected the name of an outlet');
}

function checkLimits({ limits = {} }: AgentDefinition, place: string): void {
  checkFields(limits, [...COUNTS, ...TIMES], place);
  for (const field of COUNTS) {
    const value = limits[field];
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      fail(`${place}.${field}`, `Expected a whole number above 0, got \`${String(value)}\``);
    }
  }
  for (const field of TIMES) checkDuration(limits[field], `${place}.${field}`);
  // Heartbeats are sent once a second: with less than two of them every call would look dead.
  if ((milliseconds(limits.heartbeatTimeout) ?? 2000) < 2000)
    fail(`${place}.heartbeatTimeout`, 'Expected at least 2 s');
}
