import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HoldfastError } from '../../../agent/errors/error';
import { type Config, loadConfig } from '../../../runtime/config/config';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-config-'));
  file = join(dir, 'temporal.yaml');
});
afterEach(() => rmSync(dir, { recursive: true }));

const load = (source: string, env: Record<string, string> = {}): Promise<Config> => {
  writeFileSync(file, source);
  return loadConfig({ cwd: dir, env });
};
/** `line:column problem` of what is wrong with a file. */
const wrong = async (source: string, env: Record<string, string> = {}): Promise<string> => {
  const error = await load(source, env).then(
    () => 'nothing is wrong',
    (thrown: HoldfastError<'InvalidConfig'>) => {
      expect(thrown.message.startsWith(`${file}:`)).toBe(true);
      return `${thrown.data.line}:${thrown.data.column} ${thrown.data.problem}`;
    },
  );
  return error;
};

const MODEL = 'models:\n  fast:\n    baseUrl: http://localhost:11434/v1\n    model: qwen\n';

describe('what temporal.yaml gives', () => {
  it('has defaults for everything when there is no file', async () => {
    expect(await loadConfig({ cwd: dir, env: {} })).toEqual({
      dir,
      temporal: { address: 'localhost:7233', namespace: 'default', taskQueue: 'holdfast' },
      agents: [],
      models: {},
      mcp: {},
      outlets: {},
      worker: { shutdownGrace: 30_000, heartbeatInterval: 1000 },
      devServer: {},
    });
  });

  it('makes paths absolute, durations milliseconds, and one agent module a list', async () => {
    const config = await load(
      `${MODEL}    idleTimeout: 20s
    answerTimeout: 5m
    maxAnswerBytes: 1000000
    prices: {prompt: 0.5, completion: 2}
agents: ./agents.ts
temporal: {address: 'temporal:7233', namespace: prod, taskQueue: agents}
mcp:
  files: {command: npx, args: [-y, server, 8080, true], env: {ROOT: /data, DEPTH: 3}, trusted: true, timeout: 5000}
  local: {command: ./server, cwd: servers}
worker: {shutdownGrace: 1m, maxConcurrentActivities: 10, maxCachedWorkflows: 50, heartbeatInterval: 500ms}
devServer: {port: 0, uiPort: 8300, dbFile: runs.db, ip: 0.0.0.0}
`,
    );
    expect(config).toEqual({
      file,
      dir,
      temporal: { address: 'temporal:7233', namespace: 'prod', taskQueue: 'agents' },
      agents: [join(dir, 'agents.ts')],
      models: {
        fast: {
          baseUrl: 'http://localhost:11434/v1',
          model: 'qwen',
          idleTimeout: 20_000,
          answerTimeout: 300_000,
          maxAnswerBytes: 1_000_000,
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
          cwd: dir,
        },
        local: { command: './server', cwd: join(dir, 'servers') },
      },
      outlets: {},
      worker: { shutdownGrace: 60_000, maxConcurrentActivities: 10, maxCachedWorkflows: 50, heartbeatInterval: 500 },
      devServer: { port: 0, uiPort: 8300, dbFile: join(dir, 'runs.db'), ip: '0.0.0.0' },
    });
  });

  it('takes an empty file for one without settings', async () => {
    expect((await load('# nothing yet\n')).file).toBe(file);
  });
});

describe('where temporal.yaml is found', () => {
  it('is found in a folder above', async () => {
    writeFileSync(file, 'temporal: {taskQueue: above}');
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    const config = await loadConfig({ cwd: join(dir, 'a/b'), env: {} });
    expect([config.file, config.dir, config.temporal.taskQueue]).toEqual([file, dir, 'above']);
  });

  it('is taken from HOLDFAST_CONFIG before that, and from the named path before both', async () => {
    writeFileSync(file, 'temporal: {taskQueue: found}');
    writeFileSync(join(dir, 'env.yaml'), 'temporal: {taskQueue: environment}');
    writeFileSync(join(dir, 'named.yaml'), 'temporal: {taskQueue: named}');
    const env = { HOLDFAST_CONFIG: 'env.yaml' };
    expect((await loadConfig({ cwd: dir, env })).temporal.taskQueue).toBe('environment');
    expect((await loadConfig({ cwd: dir, env, path: 'named.yaml' })).temporal.taskQueue).toBe('named');
  });

  it('must exist where it is named', async () => {
    await expect(loadConfig({ cwd: dir, env: {}, path: 'missing.yaml' })).rejects.toMatchObject({
      type: 'InvalidConfig',
      message: `${join(dir, 'missing.yaml')}: There is no such file`,
    });
  });
});

describe('what is wrong with temporal.yaml', () => {
  it.each([
    ['a misspelt section', 'modles: {}\n', '1:1 There is no `modles` here; did you mean `models`?'],
    ['a misspelt setting', `${MODEL}    apikey: x\n`, '5:5 There is no `apikey` here; did you mean `apiKey`?'],
    [
      'a setting like no other',
      'devServer:\n  zzzzzzzzzzzz: 1\n',
      '2:3 There is no `zzzzzzzzzzzz` here; possible are `port`, `uiPort`, `dbFile`, `ip`',
    ],
    [
      'a text for a number',
      'devServer:\n  port: high\n',
      '2:9 `devServer.port`: Expected a whole number of at least 0, got a text',
    ],
    ['a port out of range', 'devServer: {port: 70000}\n', '1:19 `devServer.port`: Expected at most 65535'],
    [
      'a missing setting',
      'models:\n  fast:\n    model: qwen\n',
      '2:3 `models.fast.baseUrl`: Expected a text, it has no value',
    ],
    [
      'no URL',
      'models:\n  fast: {baseUrl: localhost, model: x}\n',
      '2:19 `models.fast.baseUrl`: Expected a URL such as `https://api.openai.com/v1`',
    ],
    [
      'no duration',
      'worker:\n  shutdownGrace: soon\n',
      "2:18 `worker.shutdownGrace`: Expected milliseconds or a duration such as '30s'",
    ],
    ['a list for a section', 'temporal: [a]\n', '1:1 `temporal`: Expected a section, got a list'],
    ['a section without a value', 'temporal:\n', '1:10 `temporal`: Expected a section, it has no value'],
    ['a number in a list of modules', 'agents: [a.ts, 3]\n', '1:16 `agents.1`: Expected a text, got a number'],
    [
      'a certificate without its key',
      'temporal:\n  tls: {cert: a.pem}\n',
      '2:3 `temporal.tls`: `cert` and `key` belong together',
    ],
    ['a text for everything', 'hello\n', '1:1 Expected a section, got a text'],
    ['broken YAML', 'temporal:\n  address: "abc\n', '3:1 Missing closing "quote'],
    ['a key that stands twice', 'agents: a.ts\nagents: b.ts\n', '2:1 Map keys must be unique'],
  ])('names line, column and problem of %s', async (_what, source, problem) => {
    expect(await wrong(source)).toBe(problem);
  });

  it('is told of the first mistake in the file when there are several', async () => {
    expect(await wrong('worker: {shutdownGrace: x}\ntemporal: {adress: y}\n')).toMatch(/^1:25 /);
  });

  it('names the place of a certificate that is not there', async () => {
    expect(await wrong('temporal:\n  tls:\n    serverCa: nowhere.pem\n')).toBe('3:15 There is no such file');
  });

  it('never quotes a value, which may be a secret', async () => {
    const secret = 'sk-very-secret';
    for (const source of [
      `models: {a: {apiKey: [${secret}], model: x, baseUrl: 'http://x'}}`,
      `models: {a: {model: x, baseUrl: ${secret}}}`,
      `models:\n  a:\n    apiKey: "x" ${secret}\n`,
      `worker: {shutdownGrace: ${secret}}`,
    ]) {
      expect(await wrong(source)).not.toContain(secret);
    }
  });
});

describe('variables in temporal.yaml', () => {
  it('are replaced in any text, with defaults as in a shell', async () => {
    const config = await load(
      `${MODEL}    apiKey: \${KEY}
    headers: {X-Team: "team-\${TEAM:-none}", X-Empty: "\${EMPTY:-default}", X-Literal: "$\${KEY}"}
devServer: {port: "\${PORT:-7300}"}
`,
      { KEY: 'secret', EMPTY: '' },
    );
    expect(config.models.fast).toMatchObject({
      apiKey: 'secret',
      headers: { 'X-Team': 'team-none', 'X-Empty': 'default', 'X-Literal': `\${KEY}` },
    });
    expect(config.devServer.port).toBe(7300);
  });

  it('are missed by name and place', async () => {
    expect(await wrong(`${MODEL}    apiKey: \${OPENAI_API_KEY}\n`)).toBe(
      '5:13 The environment variable `OPENAI_API_KEY` is not set; set it, or write `$' + '{OPENAI_API_KEY:-default}`',
    );
  });

  it.each(['{a b}', '{}', '{OPEN'])('must be well-formed, unlike $%s', async (text) => {
    expect(await wrong(`agents: "$${text}"\n`)).toBe('1:9 Expected `$' + '{NAME}` or `$' + '{NAME:-default}`');
  });
});

describe('the TEMPORAL_* environment', () => {
  it('wins over the file', async () => {
    const { temporal } = await load('temporal: {address: "file:7233", namespace: file, apiKey: file}\n', {
      TEMPORAL_ADDRESS: 'environment:7233',
      TEMPORAL_NAMESPACE: 'environment',
      TEMPORAL_API_KEY: 'environment',
    });
    expect(temporal).toEqual({
      address: 'environment:7233',
      namespace: 'environment',
      taskQueue: 'holdfast',
      apiKey: 'environment',
      tls: true,
    });
  });

  it('can switch TLS off, and an empty variable is one that is not set', async () => {
    const { temporal } = await load('temporal: {tls: true, address: "file:7233"}\n', {
      TEMPORAL_TLS: 'false',
      TEMPORAL_ADDRESS: '',
    });
    expect(temporal).toMatchObject({ tls: false, address: 'file:7233' });
  });

  it('reads a profile of temporal.toml only where it asks for one', async () => {
    const home = join(dir, 'home');
    const toml = join(home, '.config/temporalio/temporal.toml');
    mkdirSync(dirname(toml), { recursive: true });
    writeFileSync(toml, '[profile.default]\naddress = "default:7233"\n[profile.cloud]\naddress = "cloud:7233"\n');
    const file = 'temporal: {address: "file:7233"}\n';
    expect((await load(file, { HOME: home })).temporal.address).toBe('file:7233');
    const asked = { HOME: home, TEMPORAL_CONFIG_FILE: toml, TEMPORAL_PROFILE: 'cloud' };
    expect((await load(file, asked)).temporal.address).toBe('cloud:7233');
  });

  it('is named when it is at fault', async () => {
    await expect(load('', { TEMPORAL_PROFILE: 'nobody' })).rejects.toMatchObject({
      type: 'InvalidConfig',
      data: { file: 'TEMPORAL_* environment' },
    });
  });
});
