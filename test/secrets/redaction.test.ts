import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activityFailure } from '../../activities/failures/activity-failure';
import { withoutSecrets } from '../../activities/mcp/secrets';
import { ServerOutput } from '../../activities/mcp/server-output';
import { modelFailure } from '../../activities/model/failures/model-failure';
import { HoldfastError } from '../../agent/errors/error';
import { loadConfig } from '../../runtime/config/config';
import { createLog } from '../../runtime/log';
import { leaksIn, SECRETS } from './planted';

const server = { command: 'serve', env: { API_KEY: SECRETS.MCP_KEY, PRIVATE_KEY: SECRETS.MCP_PRIVATE_KEY } };

it('finds a secret of several lines in each of them, and in JSON', () => {
  const texts = [SECRETS.MCP_PRIVATE_KEY, ...SECRETS.MCP_PRIVATE_KEY.split('\n'), JSON.stringify(server.env)];
  for (const text of texts) expect(leaksIn(withoutSecrets(text, server))).toEqual([]);
  expect(withoutSecrets('a plain text', server)).toBe('a plain text');
});

it('finds variables that are part of an argument, and leaves paths, addresses and short words', () => {
  const args = ['/srv/server.js', `--token=${SECRETS.MCP_ARGUMENT}`, 'https://example.com/a', 'short'];
  const before = process.env;
  const variables = { T: SECRETS.MCP_ARGUMENT, FOLDER: '/srv/server.js', SITE: 'https://example.com/a', S: 'short' };
  process.env = { ...before, ...variables };
  try {
    const text = `serve ${args.join(' ')}`;
    expect(withoutSecrets(text, { command: 'serve', args })).toBe(text.replace(SECRETS.MCP_ARGUMENT, '***'));
  } finally {
    process.env = before;
  }
});

it('never cuts a secret in two that a server has printed, wherever it is', () => {
  const clean = (line: string) => withoutSecrets(line, server);
  for (let before = 200; before < 320; before += 7) {
    const logged: string[] = [];
    const output = new ServerOutput(clean, (line) => logged.push(line));
    output.stderr(`${'.'.repeat(before)} ${SECRETS.MCP_KEY}\n`);
    output.stdout(Buffer.from(`${'.'.repeat(before)} ${SECRETS.MCP_KEY}\n`));
    expect(leaksIn(output.complaint() + logged.join(' '))).toEqual([]);
    expect(logged.join(' ')).toContain('***');
  }
  for (let after = 1980; after < 2080; after += 7) {
    const logged: string[] = [];
    const output = new ServerOutput(clean, (line) => logged.push(line));
    output.stderr(`x${SECRETS.MCP_KEY} ${'.'.repeat(after)}`);
    output.stderr('\n');
    expect(leaksIn(output.complaint() + logged.join(' '))).toEqual([]);
  }
});

it('removes the password of an address from the error of a model call', () => {
  const baseUrl = `http://me:${SECRETS.URL_PASSWORD}@models.example/v1?key=${SECRETS.MODEL_KEY}`;
  const failure = modelFailure(new TypeError(`Request cannot be constructed from ${baseUrl}`), {
    baseUrl,
    model: 'm',
  });
  expect(failure.message).toContain('Request cannot be constructed');
  expect(leaksIn(JSON.stringify([failure.message, failure.details]))).toEqual([]);
});

it('refuses a password in the address of a model, without printing it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
  const file = join(dir, 'temporal.yaml');
  writeFileSync(file, `models: {a: {baseUrl: 'http://me:\${URL_PASSWORD}@models.example/v1', model: m}}\n`);
  const error: Error = await loadConfig({ path: file, env: SECRETS }).then(
    () => new Error('it was taken'),
    (thrown: Error) => thrown,
  );
  expect(error.message).toContain('`models.a.baseUrl`: Expected a URL without user name and password');
  expect(leaksIn(error.message)).toEqual([]);
  rmSync(dir, { recursive: true });
});

it('hides values that an MCP server gets only if the name says so: paths, modes and words stay', () => {
  const env = { NODE_ENV: 'production', VERBOSE: 'true', HOME: '/srv/data', API_KEY: 'ab12' };
  const text = 'in production with true in /srv/data: ab12 was refused';
  expect(withoutSecrets(text, { command: 'serve', env })).toBe('in production with true in /srv/data: *** was refused');
});

it("removes secrets of the worker's environment from failures and logs, and leaves its paths and modes", () => {
  const before = process.env;
  const env = { STRIPE_KEY: 'k"\n9', MODE: 'production', HOME: '/home/ann', PIN: '1234' };
  process.env = { ...before, ...env };
  try {
    const problem = `${JSON.stringify(env)} ${Buffer.from(`u:${env.STRIPE_KEY}`).toString('base64')}`;
    const failure = activityFailure(new HoldfastError('OutletFailed', { outlet: 'o', problem }));
    const lines: string[] = [];
    createLog({ destination: { write: (line) => void lines.push(line) } }).warn(
      { env, n: 1234, at: [problem] },
      problem,
    );
    for (const text of [failure.message, JSON.stringify(failure.details), ...lines]) {
      expect(text).not.toMatch(/n9|OTo|azoK|1234"/);
      expect(text).toContain('production');
      expect(text).toContain('/home/ann');
    }
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ n: 1234, env: { STRIPE_KEY: '***', MODE: 'production' } });
  } finally {
    process.env = before;
  }
});
