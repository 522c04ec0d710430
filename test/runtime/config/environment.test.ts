import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MODEL, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

describe('variables in temporal.yaml', () => {
  it('are replaced in any text, with defaults as in a shell', async () => {
    const config = await yaml.load(
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

  it('are reported by name and place if missing', async () => {
    expect(await yaml.wrong(`${MODEL}    apiKey: \${OPENAI_API_KEY}\n`)).toBe(
      '5:13 The environment variable `OPENAI_API_KEY` is not set; set it, or write `$' + '{OPENAI_API_KEY:-default}`',
    );
  });

  it.each(['{a b}', '{}', '{OPEN'])('must be well-formed, unlike $%s', async (text) => {
    expect(await yaml.wrong(`agents: "$${text}"\n`)).toBe('1:9 Expected `$' + '{NAME}` or `$' + '{NAME:-default}`');
  });
});

describe('the TEMPORAL_* environment', () => {
  it('overrides the file', async () => {
    const { temporal } = await yaml.load('temporal: {address: "file:7233", namespace: file, apiKey: file}\n', {
      TEMPORAL_ADDRESS: 'environment:7233',
      TEMPORAL_NAMESPACE: 'environment',
      TEMPORAL_API_KEY: 'environment',
    });
    expect(temporal).toEqual({
      address: 'environment:7233',
      addressFrom: 'environment',
      namespace: 'environment',
      taskQueue: 'holdfast',
      apiKey: 'environment',
      apiKeyFrom: 'environment',
      tls: true,
      tlsFrom: 'apiKey',
    });
  });

  it('can switch TLS off, and an empty variable is one that is not set', async () => {
    const { temporal } = await yaml.load('temporal: {tls: true, address: "file:7233"}\n', {
      TEMPORAL_TLS: 'false',
      TEMPORAL_ADDRESS: '',
    });
    expect(temporal).toMatchObject({ tls: false, address: 'file:7233' });
  });

  it('reads a profile of temporal.toml only if it selects one', async () => {
    const home = join(yaml.dir, 'home');
    const toml = join(home, '.config/temporalio/temporal.toml');
    mkdirSync(dirname(toml), { recursive: true });
    writeFileSync(toml, '[profile.default]\naddress = "default:7233"\n[profile.cloud]\naddress = "cloud:7233"\n');
    const file = 'temporal: {address: "file:7233"}\n';
    expect((await yaml.load(file, { HOME: home })).temporal.address).toBe('file:7233');
    const asked = { HOME: home, TEMPORAL_CONFIG_FILE: toml, TEMPORAL_PROFILE: 'cloud' };
    expect((await yaml.load(file, asked)).temporal).toMatchObject({ address: 'cloud:7233', addressFrom: 'profile' });
  });

  it.each(['http://localhost:7233', 'localhost:abc', 'localhost:0', 'localhost:70000', 'a b'])(
    'is named by its variable when an address is none: %s',
    async (address) => {
      await expect(yaml.load('', { TEMPORAL_ADDRESS: address })).rejects.toMatchObject({
        type: 'InvalidConfig',
        message: 'TEMPORAL_ADDRESS: Expected a host and a port, such as `localhost:7233`',
      });
    },
  );

  it('is named when it is at fault', async () => {
    await expect(yaml.load('', { TEMPORAL_PROFILE: 'missing' })).rejects.toMatchObject({
      type: 'InvalidConfig',
      data: { file: 'TEMPORAL_* environment' },
    });
  });
});
