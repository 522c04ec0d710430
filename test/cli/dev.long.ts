import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/process/ports';
import { connect } from '../../runtime/temporal/connection';
import { HOLDFAST, MAIN, RUN_TS } from '../sources';
import { until } from '../until';

let dir: string;
let address: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-dev-'));
  address = `127.0.0.1:${await freePort('127.0.0.1')}`;
  const agents = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
export const desk = defineAgent({ name: 'support.desk', mode: 'conversation', mcp: { files: 'files' } });\n`;
  writeFileSync(join(dir, 'agents.ts'), agents);
  writeFileSync(
    join(dir, 'temporal.yaml'),
    `temporal: {address: '${address}'}
agents: agents.ts
models: {default: {baseUrl: 'http://127.0.0.1:9/v1', model: m}}
mcp: {files: {command: no-such-program}}\n`,
  );
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(dir, { recursive: true });
});

/** A terminal in which `holdfast dev` runs. */
function dev(...args: string[]) {
  const env = { ...process.env, TEMPORAL_ADDRESS: '' };
  const child = spawn(process.execPath, [RUN_TS, MAIN, 'dev', ...args], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let screen = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (screen += data));
  const exit = once(child, 'exit');
  return {
    child,
    exit,
    get screen() {
      return screen;
    },
    shows: (text: string) => until(() => screen.includes(text), `${text} on the screen`),
  };
}

it('a server that `holdfast dev --server-only` starts is used by the next ones, and outlives them', async () => {
  const first = dev('--server-only', '--ui-port', String(await freePort('127.0.0.1')));
  await first.shows('Ready. Ctrl-C ends it.');
  expect(first.screen).toContain(`Temporal    ${address}\n`);
  expect(first.screen).not.toContain('Worker');

  const again = dev('--server-only');
  expect(await again.exit).toEqual([0, null]);
  expect(again.screen).toContain(`Temporal    ${address}, which was running before\n`);
  expect(again.screen).toContain('Nothing to start.');

  const second = dev();
  await second.shows('Ready. Ctrl-C ends all.');
  expect(second.screen).toContain(`Temporal    ${address}, which was running before\n`);
  expect(second.screen).toContain('Try         holdfast chat support.desk\n');
  expect(second.screen).toContain('MCP server files: there is no program `no-such-program`; install it');
  second.child.kill('SIGINT');
  expect(await second.exit).toEqual([0, null]);

  const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: '' } });
  await connection.close();
  first.child.kill('SIGINT');
  expect(await first.exit).toEqual([0, null]);
});
