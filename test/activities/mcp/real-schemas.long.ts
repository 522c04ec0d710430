import { join } from 'node:path';
import { makeManifest } from '../../../activities/context/make-manifest';
import { McpConnections } from '../../../activities/mcp/connections';
import { discoverTools } from '../../../activities/mcp/discover';
import { checkAgainstSchema } from '../../../activities/schemas/check';
import { checksAtOnce } from '../../../activities/schemas/schema-weight';
import { defineAgent } from '../../../agent/define/agent';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { nameTable } from '../../../agent/model/names/name-table';
import type { Json, JsonObject } from '../../../agent/values/json';
import { hasPython, python } from './python-servers';
import { newFolder, published } from './servers';

jest.setTimeout(300_000);

const connections = new McpConnections();
afterAll(() => connections.close());

const servers: { [name: string]: McpStdioServer } = {
  everything: published('everything', ['stdio']),
  files: published('filesystem', [newFolder()]),
  memory: published('memory', [], { env: { MEMORY_FILE_PATH: join(newFolder(), 'memory.jsonl') } }),
  thinking: published('sequential-thinking'),
  github: published('github'),
};

/** A value that fits a schema, for the kinds that real tools use. */
function sample(schema: JsonObject, root: JsonObject): Json {
  if (typeof schema.$ref === 'string') return sample(schema.$ref.slice(2).split('/').reduce(into, root), root);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as Json;
  const [choice] = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray);
  if (choice !== undefined) return sample(choice[0] as JsonObject, root);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const required = (schema.required ?? []) as string[];
    const properties = (schema.properties ?? {}) as { [name: string]: JsonObject };
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {}, root)]));
  }
  if (type === 'array')
    return Array(Number(schema.minItems ?? 1)).fill(sample((schema.items ?? {}) as JsonObject, root));
  if (type === 'number' || type === 'integer') return Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) + 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (schema.format === 'uri') return 'https://example.com/';
  return 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)));
}

const into = (value: JsonObject, key: string) => value[key] as JsonObject;

/** The same with one required field made wrong; `undefined` if nothing can be wrong. */
function wrong(schema: JsonObject, good: JsonObject): Json | undefined {
  const [required] = (schema.required ?? []) as string[];
  if (required !== undefined) return Object.fromEntries(Object.entries(good).filter(([name]) => name !== required));
  const properties = Object.entries((schema.properties ?? {}) as { [name: string]: JsonObject });
  const typed = properties.find(([, property]) => property.type !== undefined);
  if (typed !== undefined) return { ...good, [typed[0]]: typed[1].type === 'string' ? 17 : 'no such type' };
  return schema.additionalProperties === false ? { ...good, stranger: 1 } : undefined;
}

test('61 or more real tool schemas convert, tell valid from invalid, and round-trip by the name table', async () => {
  if (hasPython) {
    servers.time = python('2026', 'mcp-server-time');
    servers.git = python('2026', 'mcp-server-git');
    servers.fetch = python('2026', 'mcp-server-fetch');
    servers.sqlite = python('2025', 'mcp-server-sqlite', ['--db-path', join(newFolder(), 'a.db')]);
  }
  const found = await Promise.all(
    Object.entries(servers).map(([name, server]) => discoverTools(connections, name, server)),
  );
  const agent = defineAgent({ name: 'real.schemas', instructions: 'x', mcp: servers });
  const { tools } = makeManifest(agent.definition, found.flat(), { searchAttributes: false });
  expect(tools.length).toBeGreaterThanOrEqual(61);
  expect(tools.length).toBe(found.flat().length);

  const unchecked: string[] = [];
  for (const { name, inputSchema } of tools) {
    const good = sample(inputSchema, inputSchema) as JsonObject;
    // A note would mean that the schema could not be compiled.
    expect([name, checkAgainstSchema(inputSchema, good)]).toEqual([name, { ok: true }]);
    expect([name, checksAtOnce(inputSchema, good)]).toEqual([name, true]);
    const bad = wrong(inputSchema, good);
    if (bad === undefined) unchecked.push(name);
    else expect([name, checkAgainstSchema(inputSchema, bad)]).toEqual([name, expect.objectContaining({ ok: false })]);
    expect(checkAgainstSchema(inputSchema, 'no object').ok).toBe(false);
  }
  // Tools without any parameter.
  expect(unchecked.length).toBeLessThan(10);

  const names = tools.map(({ name }) => name);
  const table = nameTable(names);
  const back = new Map([...table].map(([canonical, model]) => [model, canonical]));
  expect(names.map((name) => back.get(table.get(name) as string))).toEqual(names);
  expect(tools.map(({ name, modelName }) => [name, modelName])).toEqual([...table]);
  expect([...back.keys()].filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  expect(JSON.parse(JSON.stringify(tools))).toEqual(tools);
});
