import { type AgentDefinition, defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { z } from 'zod';
import { checkAgent } from '../../../../agent/define/checks/agent';
import { fault } from '../../fault';

const tool = { description: 'Looks', inputSchema: z.object({ id: z.string() }), execute: () => 'x' };
const Stock = defineContract({
  type: 'stock.check',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.stock.check.success': z.object({}) } } },
});
const services = { stock: signalService(Stock, '1.0.0') };
const output = z.object({ n: z.number() });
const undo = () => ({ tool: 'files.move', input: {} });

// A caller without types could write this.
const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more } as AgentDefinition);

it.each<[unknown, string]>([
  [undefined, 'defineAgent: Expected an object'],
  [null, 'defineAgent: Expected an object'],
  ['a.b', 'defineAgent: Expected an object'],
  [() => ({ name: 'a.b' }), 'defineAgent: Expected an object'],
  ...[undefined, 'triage', 'Support.Triage', 'hasOwnProperty', 'holdfast.own', 7].map((name): [unknown, string] => [
    { name },
    'defineAgent.name: Expected lower-case words joined by dots, at least two, the first not `holdfast`, ' +
      `such as \`support.triage\`, got \`${name}\``,
  ]),
])('%j is not a definition', (definition, text) => {
  expect(fault(() => checkAgent(definition as AgentDefinition))).toBe(text);
});

const model = 'model: Expected the alias of a model, or a list of them';
const wholeNumber = (got: unknown) => `Expected a whole number above 0, got \`${got}\``;
const duration = (got: unknown) => `Expected milliseconds or a duration such as '30s', got \`${got}\``;

it.each<[string, object, string]>([
  [
    'a misspelt field',
    { instruction: 'x' },
    'instruction: Unknown field; did you mean `instructions` or `description` or `execution`?',
  ],
  ...['tools', 'mcp', 'services', 'policies', 'questions', 'files', 'limits'].flatMap((field) =>
    [null, [], 'x'].map((value): [string, object, string] => [
      `${field} that are ${JSON.stringify(value)}`,
      { [field]: value },
      `${field}: Expected an object, got \`${JSON.stringify(value)}\``,
    ]),
  ),
  [
    'a misspelt limit',
    { limits: { maxToolInteraction: 3 } },
    'limits.maxToolInteraction: Unknown field; did you mean `maxToolInteractions`?',
  ],
  ['a misspelt folder', { files: { rot: '.' } }, 'files.rot: Unknown field; did you mean `root`?'],
  ['instructions that are not a text', { instructions: 7 }, 'instructions: Expected a string'],
  ['a builder that is not a function', { contextBuilder: 'x' }, 'contextBuilder: Expected a function'],
  [
    'two prompts',
    { instructions: 'x', contextBuilder: () => ({}) },
    'contextBuilder: It replaces `instructions`; keep one of them',
  ],
  ['an outputBuilder that is not a function', { outputBuilder: {} }, 'outputBuilder: Expected a function'],
  ['a mask that is not a function', { mediaMask: 'hidden' }, 'mediaMask: Expected a function'],
  ['a listener that is not a function', { onStream: 'log' }, 'onStream: Expected a function'],
  ['a model without a name', { model: '' }, model],
  ['a model that is not a text', { model: 7 }, model],
  ['an empty chain', { model: [] }, model],
  ['a chain with a gap', { model: ['big', ''] }, model],
  ['a chain with a number', { model: ['big', 7] }, model],
  ['a chain with a model two times', { model: ['big', 'small', 'big'] }, 'model: A model is in the chain twice'],
  [
    'an input that is not a schema',
    { inputSchema: { a: 1 } },
    'inputSchema: Expected a schema, such as `z.object({ … })`',
  ],
  [
    'an output that is not a schema',
    { outputSchema: 'text' },
    'outputSchema: Expected a schema, such as `z.object({ … })`',
  ],
  [
    'an output that cannot become JSON Schema',
    { outputSchema: { '~standard': { vendor: 'odd', version: 1, validate: () => ({}) } } },
    'outputSchema: schemas of `odd` cannot be converted to JSON Schema; use zod 4.2 or newer',
  ],
  ['an unknown mode', { mode: 'chat' }, 'mode: Expected `task` or `conversation`, got `chat`'],
  [
    'a tool with the name of a member',
    { tools: { default: tool } },
    'tools.default: This name has a meaning in JavaScript; choose another',
  ],
  ['files without a folder', { files: {} }, 'files.root: Expected the path of a folder'],
  ['files in a folder without a name', { files: { root: '' } }, 'files.root: Expected the path of a folder'],
  [
    'an unknown execution',
    { execution: 'one by one' },
    'execution: Expected one of `parallel`, `serial`, got `one by one`',
  ],
  [
    'calls at once that are neither yes nor no',
    { parallelToolCalls: 1 },
    'parallelToolCalls: Expected `true` or `false`, got `1`',
  ],
  ['replies through nothing', { replies: ' ' }, 'replies: Expected the name of an outlet'],
  ['replies through a list', { replies: ['crm'] }, 'replies: Expected the name of an outlet'],
  ['a text as a tool', { tools: { look: 'x' } }, 'tools.look: Expected a tool made by `defineTool`'],
  [
    'an MCP server that is none',
    { mcp: { crm: {} } },
    'mcp.crm: Expected an alias of `mcp` in temporal.yaml, or a definition with a `command` or a `url`',
  ],
  [
    'a service that is none',
    { services: { stock: {} } },
    'services.stock: Expected a service made by `childWorkflow`, `agentService`, `eventService` or `signalService`',
  ],
  [
    'a fallback that does not fit the output',
    { outputSchema: output, fallbackAnswer: { n: 'one' } },
    'fallbackAnswer: It does not fit `outputSchema`: Invalid input: expected number, received string',
  ],
  ...['maxToolInteractions', 'maxResultChars', 'maxOutputAttempts'].flatMap((limit) =>
    [0, 1.5, '3', null].map((value): [string, object, string] => [
      `${limit} of ${value}`,
      { limits: { [limit]: value } },
      `limits.${limit}: ${wholeNumber(value)}`,
    ]),
  ),
  ...['heartbeatTimeout', 'modelTimeout', 'startPatience'].map((limit): [string, object, string] => [
    `a ${limit} that is not a duration`,
    { limits: { [limit]: 'soon' } },
    `limits.${limit}: ${duration('soon')}`,
  ]),
  ['a heartbeat under 2 s', { limits: { heartbeatTimeout: 1999 } }, 'limits.heartbeatTimeout: Expected at least 2 s'],
])('an agent with %s is refused', (_what, more, text) => {
  expect(fault(agent(more))).toBe(`Agent \`a.b\`.${text}`);
});

const NOT_THERE = 'The agent has no such tool, no such service and no such MCP server';
const NOT_OF_A_SERVICE = 'A service has no such policy, only `priority`, `timeout`, `execution` and `approval`';
const NOT_OF_ONES_OWN = 'Only for tools of MCP servers; a tool of the agent defines its own `undo`';

it.each<[string, string, object | null, string]>([
  ['of nothing', 'find', {}, `: ${NOT_THERE}`],
  ['of a tool that every object has', 'toString', {}, `: ${NOT_THERE}`],
  ['of a tool of an unknown server', 'crm.move', {}, `: ${NOT_THERE}`],
  ['of a tool, misspelt', 'look', { timeOut: 1 }, '.timeOut: Unknown field; did you mean `timeout`?'],
  ['of a tool that is null', 'look', null, ': Expected an object'],
  ['of a service, which is for tools', 'stock', { attempts: 1 }, `.attempts: ${NOT_OF_A_SERVICE}`],
  ['of a service, with an invalid timeout', 'stock', { timeout: 'x' }, `.timeout: ${duration('x')}`],
  ['of a service, with an undo', 'stock', { undo }, `.undo: ${NOT_OF_A_SERVICE}`],
  ['of an own tool, with invalid attempts', 'look', { attempts: 0 }, `.attempts: ${wholeNumber(0)}`],
  ['of an own tool, with an undo', 'look', { undo }, `.undo: ${NOT_OF_ONES_OWN}`],
  ['of a tool that reads files, with an undo', 'read_file', { undo }, `.undo: ${NOT_OF_ONES_OWN}`],
  ['of a tool of a server, with an invalid timeout', 'files.move', { timeout: 'x' }, `.timeout: ${duration('x')}`],
])('a policy %s is refused', (_what, name, policy, text) => {
  const more = { tools: { look: tool }, mcp: { files: 'files' }, services, files: { root: '.' } };
  expect(fault(agent({ ...more, policies: { [name]: policy } }))).toBe(`Agent \`a.b\`.policies.${name}${text}`);
});

it('a policy of a tool that reads files needs `files`', () => {
  expect(fault(agent({ policies: { read_file: { timeout: '5s' } } }))).toBe(
    `Agent \`a.b\`.policies.read_file: ${NOT_THERE}`,
  );
});

it('a policy is checked together with the settings of the tool', () => {
  const more = { tools: { pay: defineTool({ ...tool, effect: 'idempotent' }), ask: defineTool(tool) } };
  expect(agent({ ...more, policies: { pay: { attempts: 3, placement: 'inline' } } })).not.toThrow();
  expect(fault(agent({ ...more, policies: { ask: { attempts: 3 } } }))).toBe(
    'Agent `a.b`.policies.ask.attempts: A tool whose effect is `once` has one attempt',
  );
  expect(fault(agent({ ...more, policies: { pay: { attempts: 3, effect: 'once' } } }))).toBe(
    'Agent `a.b`.policies.pay.attempts: A tool whose effect is `once` has one attempt',
  );
});

it('an agent may set every field', () => {
  const definition = {
    name: 'a.b',
    description: 'Sorts mail',
    instructions: 'Sort it',
    model: ['big', 'small'],
    inputSchema: z.object({ mail: z.string() }),
    outputSchema: output,
    tools: { look: defineTool(tool) },
    mcp: { files: 'files' },
    services,
    replies: 'crm',
    files: { root: '.' },
    policies: {
      look: { priority: 1 },
      stock: { priority: 2, timeout: '1d', execution: 'serial', approval: 'never' },
      read_file: { priority: 3 },
      'files.move': { effect: 'idempotent', attempts: 2, undo, questionsExpire: '1h' },
    },
    execution: 'serial',
    parallelToolCalls: false,
    fallbackAnswer: { n: 0 },
    limits: {
      maxToolInteractions: 1,
      maxResultChars: 1,
      maxOutputAttempts: 1,
      heartbeatTimeout: 2000,
      modelTimeout: '1s',
      startPatience: 1,
    },
    outputBuilder: () => ({ data: { n: 1 } }),
    mediaMask: () => ({ type: 'text', text: 'a picture' }),
    onStream: () => {},
    mode: 'conversation',
    idle: '1d',
    loopTools: ['converse'],
    questions: { ask_it: { description: 'Asks it' } },
  };
  expect(agent(definition)().definition).toEqual(definition);
});

it.each<[string, object]>([
  ['only a name', {}],
  ['a model by its alias', { model: 'big' }],
  ['a contextBuilder', { contextBuilder: () => undefined }],
  ['calls at once', { parallelToolCalls: true, execution: 'parallel' }],
  ['a fallback and no output', { fallbackAnswer: 'unknown' }],
  [
    'a fallback that only an asynchronous schema can check',
    { outputSchema: output.refine(async () => false), fallbackAnswer: { n: 0 } },
  ],
])('an agent may have %s', (_what, more) => {
  expect(agent(more)).not.toThrow();
});
