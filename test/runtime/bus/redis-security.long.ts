import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkRedis } from '../../../runtime/bus/redis/check-redis';
import type { BusConfig } from '../../../runtime/config/bus';
import { freePort } from '../../../runtime/process/ports';
import type { RedisServer } from '../../kit/redis-server';
import { selfSigned } from '../../self-signed';
import { ROOT, RUN_TS } from '../../sources';
import { until } from '../../until';
import { call, commands, heard, logged, readers, redis, textOf, worker } from './redis-stage';
import type { Passed } from './tls-process';

const PASSWORD = 'p@ss/w:rd #1?';
/** The rights that the documentation names. */
const RIGHTS = {
  worker: ['~holdfast:stream:*', '+xadd', '+pexpire'],
  reader: ['%R~holdfast:stream:*', '~holdfast:wake:*', '+xadd', '+pexpire', '+xread', '+xrange', '+xrevrange'],
  doctor: ['~holdfast:check:*', '+xadd', '+pexpire', '+xread', '+del'],
  everyone: ['~holdfast:*', '+xadd', '+pexpire', '+xread', '+xrange', '+xrevrange', '+del'],
} as const;
type User = keyof typeof RIGHTS;
const settingOf = (user: User) => ['--user', user, 'on', `>${PASSWORD}`, 'resetchannels', '-@all', ...RIGHTS[user]];

/** The address of a server with a user's name and password in it. */
const as = (user: string, { port }: Pick<RedisServer, 'port'>): BusConfig => ({
  redis: `redis://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
});
const server = () => redis(...(Object.keys(RIGHTS) as User[]).flatMap(settingOf));

describe('users with the rights that the documentation names', () => {
  it('are enough for a worker, for readers before and after an outage, and for the check', async () => {
    const place = await server();
    const { publish } = await worker(as('worker', place));
    const reading = readers(as('reader', place));
    const early = heard(reading, 'r1');
    publish(...call('r1', ['a', 'b']));
    await until(() => textOf(early) === 'ab', 'the first deltas');
    const late = heard(reading, 'r1');
    expect(textOf(late)).toBe('ab');
    const admin = await commands(place.url);
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    publish(...call('r1', ['c', 'd'], 2));
    await until(() => textOf(early) === 'abcd', 'the deltas after the cut');
    expect(JSON.stringify(logged)).not.toContain('NOPERM');
    expect(await checkRedis(as('doctor', place))).toBeUndefined();
  });

  it('are enough for one user of all, with a database of its own if it may choose one', async () => {
    const place = await server();
    const everyone = as('everyone', place);
    const { publish } = await worker(everyone);
    const deltas = heard(readers(everyone), 'r1');
    publish(...call('r1', ['a']));
    await until(() => textOf(deltas) === 'a', 'the deltas');
    expect(await checkRedis(everyone)).toBeUndefined();
    const second = { redis: `${everyone.redis}/1` };
    expect(await checkRedis(second)).toContain('NOPERM');
    const admin = await commands(place.url);
    await admin.sendCommand(['ACL', 'SETUSER', 'everyone', '+select']);
    expect(await checkRedis(second)).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it.each([
    ['worker', '+xadd'],
    ['worker', '+pexpire'],
    ['reader', '+xadd'],
    ['reader', '+pexpire'],
    ['reader', '+xread'],
    ['reader', '+xrange'],
  ] as const)('has nothing to spare: %s without %s', async (user, right) => {
    const place = await server();
    const admin = await commands(place.url);
    await admin.sendCommand(['ACL', 'SETUSER', user, right.replace('+', '-')]);
    const { publish } = await worker(as('worker', place));
    const deltas = heard(readers(as('reader', place)), 'r1');
    publish(...call('r1', ['a']));
    await until(() => JSON.stringify(logged).includes('NOPERM'), 'the warning');
    expect(JSON.stringify(logged)).not.toContain(PASSWORD);
    deltas.leave();
  });

  it('has nothing to spare: reader without +xrevrange, after an outage', async () => {
    const place = await server();
    const admin = await commands(place.url);
    await admin.sendCommand(['ACL', 'SETUSER', 'reader', '-xrevrange']);
    const { publish } = await worker(as('worker', place));
    const deltas = heard(readers(as('reader', place)), 'r1');
    publish(...call('r1', ['a']));
    await until(() => textOf(deltas) === 'a', 'the deltas');
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    const denied = async () => JSON.stringify(await admin.sendCommand(['ACL', 'LOG']));
    await until(async () => (await denied()).includes('xrevrange'), 'the refusal');
    deltas.leave();
  });

  it.each(['worker', 'reader', 'doctor'] as const)('are in the documentation: %s', async (user) => {
    const page = await readFile(join(ROOT, 'docs/reference/configuration.md'), 'utf8');
    expect(page).toContain(`\nACL SETUSER ${user} on >… ${RIGHTS[user].join(' ')}\n`);
  });

  it('keep others out: a reader writes into no answer, and a worker reads none', async () => {
    const place = await server();
    const refused = (user: string, command: string[]) =>
      commands(as(user, place).redis).then((client) => client.sendCommand(command).then(String, String));
    expect(await refused('reader', ['XADD', 'holdfast:stream:n/r1', '*', 'd', '[]'])).toContain('NOPERM');
    expect(await refused('worker', ['XRANGE', 'holdfast:stream:n/r1', '-', '+'])).toContain('NOPERM');
    expect(await refused('worker', ['XADD', 'other:stream:n/r1', '*', 'd', '[]'])).toContain('NOPERM');
  });
});

describe('over TLS', () => {
  let dir: string;
  let place: { url: string; authority: string };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'holdfast-redis-tls-'));
    await writeFile(join(dir, 'server.pem'), await selfSigned());
  });
  afterAll(() => rm(dir, { recursive: true }));

  async function tlsServer() {
    const port = await freePort('127.0.0.1');
    const pem = join(dir, 'server.pem');
    const files = ['--tls-cert-file', pem, '--tls-key-file', pem, '--tls-ca-cert-file', pem];
    // TLS only, and no user without a password.
    const only = ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', '--user', 'default', 'off'];
    await redis(...only, ...files, ...settingOf('everyone'));
    place = { url: `rediss://everyone:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`, authority: pem };
  }

  async function passed(bus: BusConfig, env: NodeJS.ProcessEnv = {}): Promise<Passed> {
    const process_ = promisify(execFile)(
      process.execPath,
      [RUN_TS, require.resolve('./tls-process'), JSON.stringify(bus)],
      { env: { ...process.env, ...env } },
    );
    return JSON.parse((await process_).stdout) as Passed;
  }

  it('answers stream with name and password in the URL, if the authority is known', async () => {
    await tlsServer();
    const found = await passed({ redis: place.url }, { NODE_EXTRA_CA_CERTS: place.authority });
    expect(found).toEqual({ text: 'one two three', logged: [] });
  });

  it.each([
    ['an unknown authority', {}, (url: string) => url, 'self-signed certificate'],
    ['a wrong password', { NODE_EXTRA_CA_CERTS: '' }, (url: string) => url.replace('%231', '%232'), 'WRONGPASS'],
    ['no TLS', { NODE_EXTRA_CA_CERTS: '' }, (url: string) => url.replace('rediss:', 'redis:'), ''],
  ])('%s is named, without the password', async (_, env, change, problem) => {
    await tlsServer();
    const trusted = 'NODE_EXTRA_CA_CERTS' in env ? { NODE_EXTRA_CA_CERTS: place.authority } : {};
    const found = await passed({ redis: change(place.url) }, trusted);
    expect(found).toMatchObject({ text: '', problem: expect.stringContaining(problem) });
    const told = JSON.stringify(found);
    expect(told).toContain('"redis":');
    expect(told).not.toContain('p@ss');
    expect(told).not.toContain(encodeURIComponent('p@ss'));
  });
});

describe('a node of a Redis Cluster', () => {
  const CLUSTER = 'It is a node of a Redis Cluster, which the bus cannot use: name a single Redis as `bus.redis`';

  it('is refused by name, by the worker, by readers and by the check', async () => {
    const cluster = await redis('--cluster-enabled', 'yes');
    const admin = await commands(cluster.url);
    await admin.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
    const bus = { redis: cluster.url };
    const { publish } = await worker(bus);
    heard(readers(bus), 'r1');
    publish(...call('r1', ['a']));
    await until(() => logged.length >= 2, 'both warnings');
    expect(logged.map(({ level, fields: { problem } }) => ({ level, problem }))).toEqual([
      { level: 'warn', problem: CLUSTER },
      { level: 'warn', problem: CLUSTER },
    ]);
    expect(await checkRedis(bus)).toBe(CLUSTER);
    // Nothing was written: its nodes would keep parts of what no reader can read together.
    expect(await admin.sendCommand(['DBSIZE'])).toBe(0);
  });

  it('is recognised by users with the least rights', async () => {
    const cluster = await redis('--cluster-enabled', 'yes', ...settingOf('everyone'));
    expect(await checkRedis(as('everyone', cluster))).toBe(CLUSTER);
  });
});
