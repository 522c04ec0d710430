import { type AgentDefinition, agentService, defineAgent, defineTool, type ModelSettings } from 'holdfast';
import { z } from 'zod';
import { fault } from '../../fault';

const tool = defineTool({ description: 'Looks', inputSchema: z.object({}), execute: () => 'x' });
const other = defineAgent({ name: 'a.other' });
const UNSENDABLE = 'Expected one line of ASCII or Latin-1 characters, which are all that a header can have';
const HEADER = 'Expected a non-empty string of one line';

// A caller without types could write this.
const agent = (modelSettings: unknown, more: object = {}) =>
  defineAgent({ name: 'a.b', modelSettings, ...more } as AgentDefinition);
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

it.each<[string, unknown, string]>([
  ['settings that are a list', [], ': Expected an object, got `[]`'],
  ['a misspelt setting', { maxToken: 1 }, '.maxToken: Unknown field; did you mean `maxTokens`?'],
  ['a temperature below 0', { temperature: -1 }, '.temperature: Expected a number of at least 0, got `-1`'],
  ['a temperature as a text', { temperature: '1' }, '.temperature: Expected a number of at least 0, got `"1"`'],
  ['a topP of 0', { topP: 0 }, '.topP: Expected a number over 0, at most 1, got `0`'],
  ['a topP over 1', { topP: 1.1 }, '.topP: Expected a number over 0, at most 1, got `1.1`'],
  ['half a token', { maxTokens: 0.5 }, '.maxTokens: Expected a whole number above 0, got `0.5`'],
  ['an ending outside a list', { stop: '.' }, '.stop: Expected a list of non-empty strings, got `"."`'],
  ['no ending', { stop: [] }, '.stop: Expected a list of non-empty strings, got a list'],
  ['an empty ending', { stop: ['.', ''] }, '.stop: Expected a list of non-empty strings, got a list'],
  ['a seed as a text', { seed: 'a' }, '.seed: Expected a whole number, got `"a"`'],
  ['an effort without a name', { reasoningEffort: ' ' }, '.reasoningEffort: Expected a non-empty string, got `" "`'],
  ['a tier without a name', { serviceTier: '' }, '.serviceTier: Expected a non-empty string, got `""`'],
  ['a switch as a text', { parallelToolCalls: 'no' }, '.parallelToolCalls: Expected `true` or `false`, got `"no"`'],
  [
    'a choice of another name',
    { toolChoice: 'any' },
    '.toolChoice: Expected `auto`, `none`, `required` or `{ tool: \'…\' }`, got `"any"`',
  ],
  [
    'a choice without a tool',
    { toolChoice: {} },
    ".toolChoice: Expected `auto`, `none`, `required` or `{ tool: '…' }`, got an object",
  ],
  [
    'a choice with more than a tool',
    { toolChoice: { tool: 'look', type: 'function' } },
    '.toolChoice.type: Unknown field; known are `tool`',
  ],
  ['a choice of an unknown tool', { toolChoice: { tool: 'peek' } }, '.toolChoice: The agent has no tool `peek`'],
  [
    'a choice of a name that every object has',
    { toolChoice: { tool: 'toString' } },
    '.toolChoice: The agent has no tool `toString`',
  ],
  [
    'a body with a function',
    { extraBody: { key: 'abcd1234', f: () => 1 } },
    '.extraBody: Expected JSON values by their names, got an object',
  ],
  [
    'a body with a date',
    { extraBody: { at: new Date(0) } },
    '.extraBody: Expected JSON values by their names, got an object',
  ],
  [
    'a body with no number',
    { extraBody: { n: Number.NaN } },
    '.extraBody: Expected JSON values by their names, got an object',
  ],
  ['a body that is a list', { extraBody: [1] }, '.extraBody: Expected JSON values by their names, got a list'],
  [
    'options without a provider',
    { providerOptions: { fast: true } },
    '.providerOptions: Expected JSON values by their names, for each provider, got an object',
  ],
  ['headers as a text', { extraHeaders: 'X-Key: abcd1234' }, '.extraHeaders: Expected an object of names and values'],
  [
    'a header with a space in its name',
    { extraHeaders: { 'X Key': 'abcd1234' } },
    '.extraHeaders.X Key: This is not a valid header name',
  ],
  ['a header of two lines', { extraHeaders: { 'X-Key': 'abcd1234\r\nX: y' } }, `.extraHeaders.X-Key: ${UNSENDABLE}`],
  ['a header beyond Latin-1', { extraHeaders: { 'X-Key': '日本' } }, `.extraHeaders.X-Key: ${UNSENDABLE}`],
  ['an empty header', { extraHeaders: { 'X-Key': '' } }, `.extraHeaders.X-Key: ${HEADER}`],
])('refuses %s', (_what, settings, text) => {
  const problem = fault(() => agent(settings, { tools: { look: tool } }));
  expect(problem).toBe(`Agent \`a.b\`.modelSettings${text}`);
  expect(problem).not.toContain('abcd1234');
});

it('refuses a body that contains itself', () => {
  expect(fault(() => agent({ extraBody: cyclic }))).toBe(
    'Agent `a.b`.modelSettings.extraBody: Expected JSON values by their names, got an object',
  );
});

it('refuses an agent that says two things about parallel calls', () => {
  expect(fault(() => agent({ parallelToolCalls: true }, { parallelToolCalls: false }))).toBe(
    'Agent `a.b`.modelSettings.parallelToolCalls: The `parallelToolCalls` of the agent says the opposite; keep one of them',
  );
  expect(() => agent({ parallelToolCalls: true }, { parallelToolCalls: true })).not.toThrow();
});

it.each<[string, ModelSettings, object]>([
  ['a tool', { toolChoice: { tool: 'look' } }, { tools: { look: tool } }],
  ['a service', { toolChoice: { tool: 'legal' } }, { services: { legal: agentService(other) } }],
  ['a question', { toolChoice: { tool: 'which' } }, { questions: { which: { description: 'Which?' } } }],
  ['a tool of the loop', { toolChoice: { tool: 'ask_question' } }, { loopTools: ['ask_question'] }],
  ['a tool for files', { toolChoice: { tool: 'read_file' } }, { files: { root: '.' } }],
  ['a tool of a server', { toolChoice: { tool: 'shop.find' } }, { mcp: { shop: 'shop' } }],
])('takes a choice of %s', (_what, settings, more) => {
  expect(agent(settings, more).definition.modelSettings).toEqual(settings);
});

it('takes every setting', () => {
  const settings: ModelSettings = {
    ...{ temperature: 0, topP: 1, maxTokens: 1, stop: ['\n'], seed: -1, reasoningEffort: 'low' },
    ...{ parallelToolCalls: true, toolChoice: 'required', serviceTier: 'flex', extraBody: { a: [null, { b: true }] } },
    ...{ extraHeaders: { 'X-Team': 'support' }, providerOptions: { anthropic: { thinking: { type: 'adaptive' } } } },
  };
  expect(agent(settings).definition.modelSettings).toEqual(settings);
});
