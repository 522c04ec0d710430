import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../runtime/config/config';
import { moduleModel, serverModel } from '../../runtime/config/models';
import { configSchema } from '../../runtime/config/schema';
import { selfSigned } from '../self-signed';
import { blocksOf, PAGES, readPage } from './pages';

const blocks = PAGES.flatMap((page) => blocksOf(page, 'yaml'));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-docs-'));
  const pem = await selfSigned();
  for (const name of ['ca.pem', 'client.pem', 'client.key']) await writeFile(join(folder, name), pem);
});
afterAll(() => rm(folder, { recursive: true }));

/** A value for every variable that a block names. */
function environment(code: string): Record<string, string> {
  const names = [...code.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, name.endsWith('URL') ? 'http://127.0.0.1:1/v1' : 'value']));
}

it.each(blocks)('$page:$line is a temporal.yaml that loads', async ({ code }) => {
  const path = join(folder, 'temporal.yaml');
  await writeFile(path, code);
  const config = await loadConfig({ path, env: environment(code) });
  expect(config.file).toBe(path);
});

it('there are yaml blocks', () => {
  expect(blocks.length).toBeGreaterThan(5);
});

it('configuration.md names every key', () => {
  const page = readPage('reference/configuration.md');
  // A choice between two sections hides them.
  const keys = [configSchema, serverModel, moduleModel].flatMap(keysOf);
  const missing = keys.filter((key) => !page.includes(`\`${key}\``));
  expect(missing).toEqual([]);
});

/** The keys of a schema and of all schemas in it. */
function keysOf(schema: z.ZodType): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: object };
    for (const key of Object.keys(properties ?? {})) found.add(key);
    for (const inner of Object.values(node)) walk(inner);
  };
  // Keys behind a preprocessing step appear only in the output.
  for (const io of ['input', 'output'] as const) walk(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  return [...found];
}
