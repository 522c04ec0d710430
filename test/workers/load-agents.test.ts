import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../runtime/config/config';
import { agentsSetting, loadAgents } from '../../workers/load/load-agents';
import { importModule } from '../../workers/load/load-module';
import { HOLDFAST } from '../sources';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-load-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (name: string, lines: readonly string[]) => writeFileSync(join(dir, name), `${lines.join('\n')}\n`);
/** Loads `agents.ts`: the names of its agents, or the error, with paths relative to its folder. */
async function load(...lines: string[]): Promise<string> {
  write('agents.ts', [`import { defineAgent, defineTool } from ${JSON.stringify(HOLDFAST)};`, ...lines]);
  write('temporal.yaml', ['agents: agents.ts']);
  const config = await loadConfig({ cwd: dir, env: {} });
  return loadAgents(config).then(
    (agents) => agents.map(({ name }) => name).join(', '),
    (error: Error & { type: string }) => `${error.type} ${error.message.replaceAll(`${dir}/`, '')}`,
  );
}

describe('the error of a module of agents names file, line and problem of', () => {
  it.each<[what: string, lines: string[], error: string]>([
    [
      'a field of an agent',
      ['export const a = defineAgent({', "  name: 'support.triage',", "  instruction: 'x',", '});'],
      'InvalidDefinition agents.ts:2: Agent `support.triage`.instruction: Unknown field; did you mean `instructions` or `description` or `execution`?',
    ],
    [
      'a tool, by its description, before an agent has it',
      ['', "const lookup = defineTool({ description: 'Find an order', efect: 'read' });"],
      'InvalidDefinition agents.ts:3: Tool `Find an order`.efect: Unknown field; did you mean `effect` or `execute` or `execution`?',
    ],
    [
      'a tool without a description',
      ['defineTool({ execute: () => 1 });'],
      'InvalidDefinition agents.ts:2: defineTool.description: Expected a string that tells the model what the tool does',
    ],
    [
      'a syntax error',
      ['export const a = 1;', 'export const b = ;'],
      'ModuleNotLoaded agents.ts:3:18: Syntax error: Unexpected token',
    ],
    [
      'a missing module',
      ['', "import { a } from './nowhere';", 'a();'],
      "ModuleNotLoaded agents.ts:3: Cannot find module './nowhere'",
    ],
    [
      'a file that it reads and that does not exist',
      ["import { readFileSync } from 'node:fs';", "readFileSync(new URL('prompt.md', import.meta.url));"],
      'ModuleNotLoaded agents.ts:3: prompt.md: There is no such file',
    ],
    [
      'a missing package',
      ["import { a } from 'no-such-package';", 'a();'],
      "ModuleNotLoaded agents.ts:2: Cannot find module 'no-such-package'",
    ],
    [
      'code that throws',
      ['const given = JSON.parse("{}");', 'given.a.b;'],
      "ModuleNotLoaded agents.ts:3: Cannot read properties of undefined (reading 'b')",
    ],
    ['a thrown value that is not an error', ["throw 'no key';"], 'ModuleNotLoaded agents.ts: no key'],
    [
      'a promise that is rejected, with its cause',
      ['', "await Promise.reject(new Error('no rates', { cause: new Error('offline') }));"],
      'ModuleNotLoaded agents.ts:3: no rates (offline)',
    ],
    [
      'a function that the imported module does not export',
      ["import { helper } from './helper';", '', 'helper();'],
      'ModuleNotLoaded agents.ts:4: `helper` is not a function; check that the module exports it',
    ],
    [
      'an imported module, and the module that imports it',
      ["import './broken';"],
      'ModuleNotLoaded broken.ts:3:1: Syntax error: Unexpected token (imported by agents.ts)',
    ],
    [
      'a module that exports no agent',
      ['export const a = 1;'],
      'InvalidConfig temporal.yaml:1:9: `agents`: agents.ts exports no agent; export what `defineAgent` returns',
    ],
  ])('%s', async (_what, lines, error) => {
    write('helper.ts', ['export const other = 1;']);
    write('broken.ts', ['const a = 1;', 'const b =']);
    expect(await load(...lines)).toBe(error);
  });
});

it.each([
  ['one', ['agents: nowhere.ts'], '1:9'],
  ['one of several', ['agents: [agents.ts, nowhere.ts]'], '1:21'],
  ['one in a line of its own', ['agents:', '  - agents.ts', '  - ./nowhere.ts'], '3:5'],
])('a module that does not exist, as %s, is an error of temporal.yaml at its place', async (_what, lines, place) => {
  write('agents.ts', [
    `import { defineAgent } from ${JSON.stringify(HOLDFAST)};`,
    "export const a = defineAgent({ name: 'a.b' });",
  ]);
  write('temporal.yaml', lines);
  await expect(loadAgents(await loadConfig({ cwd: dir, env: {} }))).rejects.toMatchObject({
    type: 'InvalidConfig',
    message: `${join(dir, 'temporal.yaml')}:${place}: \`agents\`: There is no module ${join(dir, 'nowhere.ts')}`,
  });
});

it.each([
  ['an empty one', []],
  ['one with the package.json that npm writes', ['{"main": "index.js"}']],
])('a folder is not a module: %s', async (_, packageJson) => {
  if (packageJson.length > 0) write('package.json', packageJson);
  write('temporal.yaml', ['agents: .']);
  await expect(loadAgents(await loadConfig({ cwd: dir, env: {} }))).rejects.toThrow(
    `temporal.yaml:1:9: \`agents\`: ${dir} is a folder; write the path of a module, such as \`./agents.ts\``,
  );
});

it('a module that a program names has no place in a file', async () => {
  const config = { ...(await loadConfig({ cwd: dir, env: {} })), agents: [join(dir, 'nowhere.ts')] };
  await expect(loadAgents(config)).rejects.toMatchObject({
    message: `temporal.yaml: \`agents\`: There is no module ${join(dir, 'nowhere.ts')}`,
  });
});

it('a temporal.yaml that is gone by then is an error of its own', async () => {
  write('temporal.yaml', ['agents: nowhere.ts']);
  const config = await loadConfig({ cwd: dir, env: {} });
  rmSync(join(dir, 'temporal.yaml'));
  await expect(loadAgents(config)).rejects.toThrow(`${join(dir, 'temporal.yaml')}: There is no such file`);
});

it('the stack of the error, for debugging, is that of the module', async () => {
  write('agents.ts', ['function boom() { throw new Error("no"); }', 'boom();']);
  write('temporal.yaml', ['agents: agents.ts']);
  await expect(loadAgents(await loadConfig({ cwd: dir, env: {} }))).rejects.toMatchObject({
    stack: expect.stringMatching(/at boom .*agents\.ts:1/),
  });
});

it('agents are found under any export, also in lists', async () => {
  expect(
    await load(
      "export const all = [defineAgent({ name: 'a.one' })];",
      "export default defineAgent({ name: 'a.two' });",
    ),
  ).toBe('a.one, a.two');
});

it.each(['commonjs', 'module'])('a module may await at its top level, also in a project of type %s', async (type) => {
  write('package.json', [JSON.stringify({ type })]);
  expect(await load("const name = await Promise.resolve('a.later');", 'export const a = defineAgent({ name });')).toBe(
    'a.later',
  );
});

it('two agents of one name are an error, also where no worker is made of them', async () => {
  const agent = "defineAgent({ name: 'support.triage' });";
  expect(await load(`export const a = ${agent}`, `export const b = ${agent}`)).toBe(
    'InvalidDefinition Agent `support.triage`: Two agents have this name',
  );
});

it('a module that waits for something that never comes is an error after a time', async () => {
  write('agents.ts', ['export const later = await new Promise(() => {});']);
  write('temporal.yaml', ['agents: agents.ts']);
  const file = join(dir, 'agents.ts');
  await expect(importModule(file, agentsSetting(0), await loadConfig({ cwd: dir, env: {} }), 50)).rejects.toThrow(
    `${file}: it was not loaded after 0.05 s; does it wait for something at its top level?`,
  );
});
