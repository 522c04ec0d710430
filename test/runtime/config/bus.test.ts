import { YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

it('reads the address of Redis from a variable, and what else there is to set', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
  const source = 'bus: {redis: "${REDIS_URL}", username: u, password: p, prefix: "a:", maxLength: 500, ttl: 1m}\n';
  expect((await yaml.load(source, { REDIS_URL: 'rediss://u:p%40@redis.internal:6380/2' })).bus).toEqual({
    redis: 'rediss://u:p%40@redis.internal:6380/2',
    username: 'u',
    password: 'p',
    prefix: 'a:',
    maxLength: 500,
    ttl: 60_000,
  });
  expect((await yaml.load('bus: {redis: "redis://[::1]"}\n')).bus).toEqual({ redis: 'redis://[::1]' });
  expect((await yaml.load('agents: []\n')).bus).toBeUndefined();
});

const EXPECTED = '1:14 `bus.redis`: Expected a URL such as `redis://localhost:6379`';
it.each([
  ['an address of something else', 'bus: {redis: "http://localhost"}\n', EXPECTED],
  ['an address without a host', 'bus: {redis: "redis://"}\n', EXPECTED],
  ['a path that is not a number', 'bus: {redis: "redis://localhost/runs"}\n', EXPECTED],
  ['a port that is none', 'bus: {redis: "redis://localhost:99999"}\n', EXPECTED],
  ['no address', 'bus: {prefix: a}\n', '1:1 `bus.redis`: Expected a string, it has no value'],
  ['an unknown setting', 'bus: {redis: "redis://a", tll: 1m}\n', '1:27 There is no `tll` here; did you mean `ttl`?'],
  ['a short time', 'bus: {redis: "redis://a", ttl: 1s}\n', '1:32 `bus.ttl`: Expected at least 10 s'],
])('refuses %s', async (_, source, problem) => {
  expect(await yaml.wrong(source)).toBe(problem);
});
