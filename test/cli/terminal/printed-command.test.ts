import { printedCommand, programCall, withPrintedCommands } from '../../../cli/terminal/printed-command';

test('words are quoted where a shell needs it', () => {
  expect(printedCommand('answer', 'it is', 't1.1', '--data', '{…}')).toBe("holdfast answer 'it is' t1.1 --data '{…}'");
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
  expect(programCall(agent === undefined ? {} : { npm_config_user_agent: agent })).toBe(call);
});

test('the commands that a text names begin as the user called Holdfast, and nothing else changes', () => {
  const npm = { npm_config_user_agent: 'npm/10.8.2 node/v20.20.0 linux x64' };
  const said = 'Start one with `holdfast dev`, or look with `holdfast show mail-17`.';
  expect(withPrintedCommands(said, npm)).toBe(
    'Start one with `npx holdfast dev`, or look with `npx holdfast show mail-17`.',
  );
  expect(withPrintedCommands(said, {})).toBe(said);
  const other = 'The run `holdfast` of holdfast dev imports `holdfast/client` and `npx holdfast dev`, `holdfast ` too.';
  expect(withPrintedCommands(other, npm)).toBe(other);
});
