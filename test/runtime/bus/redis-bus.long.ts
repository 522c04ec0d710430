import { RedisServer } from '../../kit/redis-server';
import { until } from '../../until';
import { call, commands, heard, levels, logged, readers, redis, textOf, worker } from './redis-stage';

const letters = [...'abcdefghij'];
let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());
const config = () => ({ redis: server.url, prefix: `${Math.random()}:` });

it('passes readers the deltas of their runs, in order, whatever the ids are', async () => {
  const bus = config();
  const ids = ['plain', 'two words/ü:*{x}?', '', '\n\r\n$5', '../..', 'x'.repeat(1000), '\u0000\ud800'];
  const reading = readers(bus);
  const all = ids.map((id) => heard(reading, id));
  const { publish } = await worker(bus);
  for (let i = 0; i < 200; i++) for (const id of ids) publish(...call(id, [String(i)], i));
  await until(() => all.every((deltas) => (deltas.at(-1)?.seq ?? 0) === 199), 'all deltas');
  for (const [place, deltas] of all.entries()) {
    expect(textOf(deltas)).toBe(Array.from({ length: 200 }, (_, i) => i).join(''));
    expect(new Set(deltas.map(({ id }) => id))).toEqual(new Set([ids[place]]));
  }
  expect(logged).toEqual([]);
});

it('gives a reader that joins in mid-answer the answer from its beginning, and then the rest', async () => {
  const bus = config();
  const { publish } = await worker(bus);
  publish(...call('r1', ['old', { type: 'stream.complete' }]), ...call('r1', letters.slice(0, 5), 0, 2));
  const [one, other] = [readers(bus), readers(bus)];
  const first = heard(one, 'r1');
  await until(() => first.length > 0, 'what the first has missed');
  expect([...first]).toEqual([{ ...call('r1', ['e'], 4, 2)[0], text: 'abcde', from: 0 }]);
  publish(...call('r1', letters.slice(5), 5, 2));
  const late = heard(other, 'r1');
  await until(() => [first, late].every((deltas) => deltas.at(-1)?.seq === 9), 'the rest');
  expect([first, late].map(textOf)).toEqual(['abcdefghij', 'abcdefghij']);
  const second = heard(one, 'r1');
  expect(textOf(second)).toBe('abcdefghij');
});

it('reads on for those who stay when others come and go', async () => {
  const bus = config();
  const { publish } = await worker(bus);
  const reading = readers(bus);
  const stays = heard(reading, 'stays');
  for (let i = 0; i < 50; i++) {
    publish(...call('stays', [`${i} `], i), ...call(`r${i}`, ['x']));
    const comes = heard(reading, `r${i}`);
    await until(() => comes.length === 1, `run ${i}`);
    comes.leave();
  }
  await until(() => stays.at(-1)?.seq === 49, 'all deltas');
  expect(textOf(stays)).toBe(Array.from({ length: 50 }, (_, i) => `${i} `).join(''));
});

it('passes a delta of a megabyte', async () => {
  const bus = config();
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  const big = 'ü'.repeat(500_000);
  publish(...call('r1', ['a']));
  await until(() => deltas.length === 1, 'the reader');
  publish(...call('r1', [big, 'b'], 1));
  await until(() => deltas.at(-1)?.seq === 2, 'all deltas');
  expect(textOf(deltas) === `a${big}b`).toBe(true);
});

it('ignores entries that are none of its run', async () => {
  const bus = config();
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a']));
  await until(() => deltas.length === 1, 'the first delta');
  const client = await commands(server.url);
  const [key = ''] = await client.keys(`${bus.prefix}stream:*`);
  const [good] = call('r1', ['b'], 1);
  const bad = [
    'nonsense',
    'null',
    '{}',
    '[7, null, {}]',
    JSON.stringify([{ ...good, id: 'r2' }]),
    JSON.stringify([
      { ...good, seq: '1' },
      { ...good, type: 'toString' },
      { ...good, text: 7 },
    ]),
    JSON.stringify({ ...good }),
  ];
  for (const d of bad) await client.xAdd(key, '*', { d });
  await client.xAdd(key, '*', { other: 'x' });
  publish(...call('r1', ['b'], 1));
  await until(() => deltas.length > 1, 'the second delta');
  expect([...deltas]).toEqual(call('r1', ['a', 'b']));
  expect(logged).toEqual([]);
});

it('lets one key of another kind disturb only its own run', async () => {
  const bus = config();
  const { publish } = await worker(bus);
  const reading = readers(bus);
  const [good, bad] = [heard(reading, 'good'), heard(reading, 'bad')];
  publish(...call('good', ['a']), ...call('bad', ['a']));
  await until(() => good.length + bad.length === 2, 'the first deltas');
  const client = await commands(server.url);
  const [key = ''] = await client.keys(`${bus.prefix}stream:*/bad`);
  await client.set(key, 'a string');
  publish(...call('good', ['b'], 1), ...call('bad', ['b'], 1));
  await until(() => good.length === 2, 'the second delta of the good one');
  await client.del(key);
  publish(...call('good', ['c'], 2), ...call('bad', ['c'], 2));
  await until(() => bad.length === 2, 'the third delta of the other one');
  expect(textOf(good)).toBe('abc');
  expect(levels().filter((level) => level === 'warn').length).toBeGreaterThan(0);
});

it('bounds each stream in length and time', async () => {
  const bus = { ...config(), maxLength: 100, ttl: 20_000 };
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  for (let i = 0; i < 250; i++) {
    publish(...call('r1', [String(i)], i));
    await until(() => deltas.at(-1)?.seq === i, `delta ${i}`);
  }
  const client = await commands(server.url);
  const [key = ''] = await client.keys(`${bus.prefix}stream:*`);
  expect(await client.xLen(key)).toBeLessThan(201);
  const keys = await client.keys(`${bus.prefix}*`);
  for (const each of keys) expect(await client.ttl(each)).toBeGreaterThan(0);
  expect(keys).toHaveLength(2);
});

it('loses deltas while Redis is full, says so once, and says when it is over', async () => {
  const full = await redis('--maxmemory-policy', 'noeviction');
  const bus = { redis: full.url };
  const client = await commands(full.url);
  const { publish } = await worker(bus);
  const deltas = heard(readers(bus), 'r1');
  publish(...call('r1', ['a']));
  await until(() => deltas.length === 1, 'the first delta');
  await client.configSet('maxmemory', '1');
  for (let i = 1; i < 20; i++) publish(...call('r1', [String(i)], i));
  await until(() => logged.length === 1, 'the warning');
  await client.configSet('maxmemory', '0');
  await until(() => {
    publish(...call('r1', ['again'], 0, 2));
    return deltas.length > 1;
  }, 'another delta');
  await until(() => logged.length === 2, 'the end of the warning');
  expect(logged).toMatchObject([
    { level: 'warn', fields: { redis: full.url, problem: expect.stringContaining('OOM') } },
    { level: 'info', fields: { lost: expect.any(Number) } },
  ]);
});

it('is without Redis where the password is wrong, says so once, and does not tell the password', async () => {
  const closed = await redis('--requirepass', 'right secret');
  const port = closed.port;
  const wrong = { redis: `redis://user:wrongsecret@127.0.0.1:${port}` };
  const { publish, close } = await worker(wrong);
  const deltas = heard(readers(wrong), 'r1');
  publish(...call('r1', letters));
  // The worker and the reader.
  await until(() => logged.length === 2, 'both warnings');
  await close();
  expect(levels()).toEqual(['warn', 'warn']);
  expect(JSON.stringify(logged)).not.toContain('wrongsecret');
  expect(JSON.stringify(logged)).toContain('WRONGPASS');
  expect([...deltas]).toEqual([]);
  const right = { redis: closed.url, password: 'right secret' };
  const again = await worker(right);
  const those = heard(readers(right), 'r1');
  again.publish(...call('r1', letters));
  await until(() => textOf(those) === letters.join(''), 'all deltas');
});
