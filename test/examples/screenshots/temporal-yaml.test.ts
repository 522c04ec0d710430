import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { McpStdioServer } from '../../../agent/define/mcp-server';
import { screenshots } from '../../../examples/screenshots/agents';
import { loadConfig } from '../../../runtime/config/config';

const DIR = join(__dirname, '../../..');
const load = (env: { [name: string]: string }) => loadConfig({ path: join(DIR, 'temporal.yaml'), env });

test("the configuration has the agent's model and servers, for the folder from the environment", async () => {
  const config = await load({ SCREENSHOTS_FOLDER: '/tmp/a', DEMO_MODEL_URL: 'http://127.0.0.1:9/v1' });
  expect(config.models.demo).toEqual({ baseUrl: 'http://127.0.0.1:9/v1', model: 'demo' });
  expect(config.models[String(screenshots.definition.model)]).toBeDefined();
  for (const alias of Object.values(screenshots.definition.mcp ?? {})) {
    expect(config.mcp[String(alias)]).toMatchObject({ cwd: DIR, args: [expect.any(String), '/tmp/a'] });
  }
});

test('its paths are relative to its own folder', async () => {
  const config = await load({ SCREENSHOTS_FOLDER: '/tmp/a' });
  const [files, ocr] = ['files', 'ocr'].map((alias) => {
    const server = config.mcp[alias] as McpStdioServer | undefined;
    return resolve(DIR, server?.args?.[0] ?? '');
  });
  expect(existsSync(files ?? '')).toBe(true);
  // Compiled files: their sources are at the same place outside dist/.
  for (const compiled of [ocr ?? '', ...config.agents]) {
    expect(compiled).toContain('/dist/');
    expect(existsSync(compiled.replace('/dist/', '/').replace(/\.js$/, '.ts'))).toBe(true);
  }
});

test('without a folder from the environment, the servers may change a folder that is not in git', async () => {
  const { mcp } = await load({});
  const folders = ['files', 'ocr'].map((alias) => (mcp[alias] as McpStdioServer | undefined)?.args?.[1] ?? '');
  expect(folders).toEqual(['examples/screenshots/work', 'examples/screenshots/work']);
  expect(existsSync(join(DIR, folders[0] ?? '', '.gitignore'))).toBe(true);
});

test('a worker started at the top of the repository finds it', async () => {
  expect(await loadConfig({ cwd: DIR, env: {} })).toMatchObject({ file: join(DIR, 'temporal.yaml') });
});
