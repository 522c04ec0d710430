import {
  commandBy,
  printCommandsFor,
  printedCommand,
  withPrintedCommands,
} from '../../../cli/terminal/printed-command';

afterEach(() => printCommandsFor({}));

const npm = { npm_config_user_agent: 'npm/10.8.2 node/v20.20.0 linux x64' };
const retry = (env: object, place: object = {}) =>
  commandBy({ env: env as Record<string, string>, place }, ['retry', 'mail 17']);

test('words are quoted where a shell needs it', () => {
  expect(commandBy({ env: {} }, ['answer', 'it is', 't1.1', '--data', '{…}'])).toBe(
    "holdfast answer 'it is' t1.1 --data '{…}'",
  );
});

test.each([
  [undefined, 'holdfast'],
  ['', 'holdfast'],
  ['npm/10.8.2 node/v20.20.0 linux x64 workspaces/false', 'npx holdfast'],
  ['pnpm/10.1.0 npm/? node/v20.20.0 linux x64', 'pnpm exec holdfast'],
  ['yarn/4.6.0 npm/? node/v20.20.0 linux x64', 'yarn holdfast'],
  ['bun/1.2.0 npm/? node/v20.20.0 linux x64', 'bunx holdfast'],
  ['other/1.0', 'holdfast'],
])('a process that %j runs says `%s`', (agent, call) => {
  expect(commandBy({ env: agent === undefined ? {} : { npm_config_user_agent: agent } }, ['runs'])).toBe(
    `${call} runs`,
  );
});

test('the commands that a text names begin as the user called Holdfast, and nothing else changes', () => {
  const said = 'Start one with `holdfast dev`, or look with `holdfast show mail-17`.';
  expect(withPrintedCommands(said, npm)).toBe(
    'Start one with `npx holdfast dev`, or look with `npx holdfast show mail-17`.',
  );
  expect(withPrintedCommands(said, {})).toBe(said);
  const other = 'The run `holdfast` of holdfast dev imports `holdfast/client` and `npx holdfast dev`, `holdfast ` too.';
  expect(withPrintedCommands(other, npm)).toBe(other);
});

test('a command leads to the same runs, if the environment said where they are', () => {
  expect(retry({ TEMPORAL_ADDRESS: '10.0.0.7:7233', TEMPORAL_NAMESPACE: 'my agents', TEMPORAL_TLS: '' })).toBe(
    "TEMPORAL_ADDRESS=10.0.0.7:7233 TEMPORAL_NAMESPACE='my agents' holdfast retry 'mail 17'",
  );
  expect(retry({ ...npm, HOLDFAST_CONFIG: '/srv/desk.yaml' })).toBe(
    "HOLDFAST_CONFIG=/srv/desk.yaml npx holdfast retry 'mail 17'",
  );
  expect(retry({ HOLDFAST_URL: 'https://agents.example.com', TEMPORAL_ADDRESS: '10.0.0.7:7233' })).toBe(
    "HOLDFAST_URL=https://agents.example.com holdfast retry 'mail 17'",
  );
});

test('a command leads to the same runs, if an option said where they are', () => {
  const env = { HOLDFAST_CONFIG: 'a.yaml', HOLDFAST_URL: 'https://a.example.com', TEMPORAL_ADDRESS: '10.0.0.7:7233' };
  expect(retry(env, { config: './my desk.yaml' })).toBe(
    "TEMPORAL_ADDRESS=10.0.0.7:7233 holdfast retry 'mail 17' --config './my desk.yaml'",
  );
  expect(retry(env, { url: 'https://b.example.com' })).toBe("holdfast retry 'mail 17' --url https://b.example.com");
});

test('the options of a command line are in all commands that it prints, and in those of its errors', () => {
  printCommandsFor({ config: 'desk.yaml' });
  expect(printedCommand('retry', 'a')).toMatch(/holdfast retry a --config desk\.yaml$/);
  expect(withPrintedCommands('Start one with `holdfast dev`.', npm)).toBe(
    'Start one with `npx holdfast dev --config desk.yaml`.',
  );
});

test('a printed command has no secret', () => {
  const env = { TEMPORAL_API_KEY: 'key-1', HOLDFAST_TOKEN: 'token-1', TEMPORAL_GRPC_META_AUTHORIZATION: 'meta-1' };
  expect(retry(env)).toBe("holdfast retry 'mail 17'");
  for (const url of ['https://a.example.com/x#token=secret-1', 'https://ann:secret-1@a.example.com/x']) {
    expect(retry(env, { url })).toBe("holdfast retry 'mail 17' --url https://a.example.com/x");
    expect(retry({ ...env, HOLDFAST_URL: url })).toBe("HOLDFAST_URL=https://a.example.com/x holdfast retry 'mail 17'");
  }
});

test('a command that reaches no run at a served address, or none at all, is printed without it', () => {
  const place = { url: 'https://a.example.com' };
  expect(commandBy({ env: {}, place }, ['worker'])).toBe('holdfast worker');
  expect(commandBy({ env: { TEMPORAL_ADDRESS: '10.0.0.7:7233' }, place: {} }, ['--help'])).toBe('holdfast --help');
  expect(commandBy({ env: {}, place: { config: 'a.yaml' } }, ['init', 'my-agent'])).toBe('holdfast init my-agent');
});
