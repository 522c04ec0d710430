import { execFileSync } from 'node:child_process';
import { startTestServer } from '../kit/test-server';

/** The dev servers that this process has started. */
function devServers(): number[] {
  const all = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes('start-dev'))
    .map((line) => Number.parseInt(line, 10));
}

test('a dev server that ended by itself is told from one that runs', async () => {
  delete process.env.HOLDFAST_KIT_DEV_SERVER;
  const server = await startTestServer({ server: 'dev' });
  expect(await server.ended()).toBeUndefined();
  const [pid] = devServers();
  process.kill(pid as number, 'SIGKILL');
  expect(await server.ended()).toMatch(/SIGKILL/);
  await server.stop();
});
