import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../runtime/config/config';
import { MODEL, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

describe('what temporal.yaml gives', () => {
  it('has defaults for everything when there is no file', async () => {
    expect(await loadConfig({ cwd: yaml.dir, env: {} })).toEqual({
      dir: yaml.dir,
      temporal: { address: 'localhost:7233', namespace: 'default', taskQueue: 'holdfast' },
      agents: [],
      models: {},
      mcp: {},
      outlets: {},
      worker: { shutdownGrace: 30_000, heartbeatInterval: 1000 },
      devServer: {},
    });
  });

  it.each([
    ['localhost', 'localhost:7233'],
    ['"[::1]"', '[::1]:7233'],
    ['"127.0.0.1:7300"', '127.0.0.1:7300'],
  ])('has the usual port of a server for an address without one: %s', async (given, address) => {
    expect((await yaml.load(`temporal: {address: ${given}}\n`)).temporal.address).toBe(address);
    const { temporal } = await loadConfig({ cwd: yaml.dir, env: { TEMPORAL_ADDRESS: given.replaceAll('"', '') } });
    expect(temporal.address).toBe(address);
  });

  it('makes paths absolute, durations milliseconds, and one agent module a list', async () => {
    const config = await yaml.load(
      `${MODEL}    idleTimeout: 20s
    answerTimeout: 5m
    maxAnswerBytes: 1000000
    structuredOutput: json_object
    prices: {prompt: 0.5, completion: 2}
agents: ./agents.ts
temporal: {address: 'temporal:7233', namespace: prod, taskQueue: agents}
mcp:
  files: {command: npx, args: [-y, server, 8080, true], env: {ROOT: /data, DEPTH: 3}, trusted: true, timeout: 5000}
  local: {command: ./server, cwd: servers}
worker: {shutdownGrace: 1m, maxConcurrentActivities: 10, maxCachedWorkflows: 50, heartbeatInterval: 500ms, deployment: {name: shop, buildId: 4f2a, versioning: pinned}}
devServer: {port: 0, uiPort: 8300, dbFile: runs.db, ip: 0.0.0.0}
`,
    );
    expect(config).toEqual({
      file: yaml.file,
      dir: yaml.dir,
      temporal: { address: 'temporal:7233', addressFrom: 'file', namespace: 'prod', taskQueue: 'agents' },
      agents: [join(yaml.dir, 'agents.ts')],
      models: {
        fast: {
          baseUrl: 'http://localhost:11434/v1',
          model: 'qwen',
          idleTimeout: 20_000,
          answerTimeout: 300_000,
          maxAnswerBytes: 1_000_000,
          structuredOutput: 'json_object',
          prices: { prompt: 0.5, completion: 2 },
        },
      },
      mcp: {
        files: {
          command: 'npx',
          args: ['-y', 'server', '8080', 'true'],
          env: { ROOT: '/data', DEPTH: '3' },
          trusted: true,
          timeout: 5000,
          cwd: yaml.dir,
        },
        local: { command: './server', cwd: join(yaml.dir, 'servers') },
      },
      outlets: {},
      worker: {
        shutdownGrace: 60_000,
        maxConcurrentActivities: 10,
        maxCachedWorkflows: 50,
        heartbeatInterval: 500,
        deployment: { name: 'shop', buildId: '4f2a', versioning: 'pinned' },
      },
      devServer: { port: 0, uiPort: 8300, dbFile: join(yaml.dir, 'runs.db'), ip: '0.0.0.0' },
    });
  });

  it('treats an empty file as one without settings', async () => {
    expect((await yaml.load('# nothing yet\n')).file).toBe(yaml.file);
  });
});

describe('where temporal.yaml is found', () => {
  it('is found in a folder above', async () => {
    writeFileSync(yaml.file, 'temporal: {taskQueue: above}');
    mkdirSync(join(yaml.dir, 'a/b'), { recursive: true });
    const config = await loadConfig({ cwd: join(yaml.dir, 'a/b'), env: {} });
    expect([config.file, config.dir, config.temporal.taskQueue]).toEqual([yaml.file, yaml.dir, 'above']);
  });

  it('is taken from HOLDFAST_CONFIG before that, and from the named path before both', async () => {
    writeFileSync(yaml.file, 'temporal: {taskQueue: found}');
    writeFileSync(join(yaml.dir, 'env.yaml'), 'temporal: {taskQueue: environment}');
    writeFileSync(join(yaml.dir, 'named.yaml'), 'temporal: {taskQueue: named}');
    const env = { HOLDFAST_CONFIG: 'env.yaml' };
    expect((await loadConfig({ cwd: yaml.dir, env })).temporal.taskQueue).toBe('environment');
    expect((await loadConfig({ cwd: yaml.dir, env, path: 'named.yaml' })).temporal.taskQueue).toBe('named');
  });

  it('must exist if it is named', async () => {
    await expect(loadConfig({ cwd: yaml.dir, env: {}, path: 'missing.yaml' })).rejects.toMatchObject({
      type: 'InvalidConfig',
      message: `${join(yaml.dir, 'missing.yaml')}: There is no such file`,
    });
  });

  it.each([
    ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'nowhere.pem', 'There is no such file'],
    ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', '.', 'It is a folder; name a file'],
    ['TEMPORAL_CONFIG_FILE', '.', 'It is a folder; name a file'],
  ])('is told of a file in the environment: %s', async (name, file, problem) => {
    const path = join(yaml.dir, file);
    const env = { TEMPORAL_TLS_CLIENT_KEY_PATH: path, [name]: path };
    await expect(loadConfig({ cwd: yaml.dir, env })).rejects.toMatchObject({
      type: 'InvalidConfig',
      message: expect.stringMatching(new RegExp(`^TEMPORAL_\\w+: ${path}/?: ${problem}`)),
    });
  });

  it('must be a file: a folder is named with the file in it', async () => {
    writeFileSync(yaml.file, '');
    await expect(loadConfig({ cwd: yaml.dir, env: {}, path: '.' })).rejects.toMatchObject({
      type: 'InvalidConfig',
      message: `${yaml.dir}: It is a folder; name a file, such as ${yaml.file}`,
    });
  });
});
