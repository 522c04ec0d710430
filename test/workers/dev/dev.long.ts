import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevEvent, type DevTree, startDev } from '../../../workers/dev/dev';
import { isAlive } from '../../is-alive';
import { HOLDFAST } from '../../sources';
import { until } from '../../until';

let dir: string;
let events: DevEvent[];
let tree: DevTree | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-dev-'));
  events = [];
});
afterEach(async () => {
  await tree?.stop();
  tree = undefined;
  rmSync(dir, { recursive: true });
});

const seen = <T extends DevEvent['type']>(type: T) =>
  events.filter((event): event is Extract<DevEvent, { type: T }> => event.type === type);
/** A worker in JavaScript: enough to be supervised. */
function workerOf(script: string): string {
  const path = join(dir, 'worker.js');
  writeFileSync(path, script);
  return path;
}
const READY = `process.send({
  type: 'ready', pid: process.pid, taskQueue: 'holdfast', agents: [], missingPrograms: [], files: [],
});
setInterval(() => {}, 1000);`;
const pidOf = ({ pid }: DevTree['server']): number => {
  if (pid === undefined) throw new Error('The tree did not start the server');
  return pid;
};
const start = async (script: string) => {
  tree = await startDev({
    cwd: dir,
    port: 0,
    uiPort: 0,
    onEvent: (e) => events.push(e),
    workerModule: workerOf(script),
  });
  return tree;
};

describe('the dev tree', () => {
  it('starts a worker for its server, restarts it when it is killed, and ends with all its processes', async () => {
    const { server, stop, done } = await start(`console.log(process.env.TEMPORAL_ADDRESS); ${READY}`);
    await until(() => seen('worker.ready').length === 1, 'worker.ready');
    const [first] = seen('worker.ready');
    await until(() => seen('worker.log').length === 1, 'worker.log');
    expect(seen('worker.log')[0]?.line).toBe(server.address);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    await until(() => seen('worker.ready').length === 2, 'worker.ready');
    expect(seen('worker.exit')).toEqual([{ type: 'worker.exit', pid: first?.pid, code: null, signal: 'SIGKILL' }]);
    expect(seen('worker.restart')).toEqual([{ type: 'worker.restart', delay: 200 }]);
    const pids = [...seen('worker.ready').map(({ pid }) => pid), pidOf(server)];
    await stop();
    await done;
    expect(pids.filter(isAlive)).toEqual([]);
    expect(seen('worker.exit')).toHaveLength(1);
  });

  it('kills a worker that does not end when asked', async () => {
    const { stop } = await start(`process.on('SIGTERM', () => {}); ${READY}`);
    await until(() => seen('worker.ready').length === 1, 'worker.ready');
    await stop();
    expect(isAlive(seen('worker.ready')[0]?.pid ?? 0)).toBe(false);
  });

  it('says that there is no temporal.yaml before it starts anything', async () => {
    await expect(startDev({ cwd: dir, port: 0, onEvent: (e) => events.push(e) })).rejects.toMatchObject({
      type: 'InvalidConfig',
      message: `temporal.yaml: There is no such file in ${dir} or a folder above. \`holdfast init <folder>\` writes a project with one`,
    });
    expect(events).toEqual([]);
  });

  it('ends at once with the message of a worker that cannot start', async () => {
    const { server, done } = await start(`
      const error = { type: 'InvalidConfig', message: 'temporal.yaml:1:1: wrong', data: {} };
      process.send({ type: 'failed', error }, () => process.exit(1));`);
    await expect(done).rejects.toMatchObject({ type: 'InvalidConfig', message: 'temporal.yaml:1:1: wrong' });
    expect(seen('worker.exit').map(({ code }) => code)).toEqual([1]);
    expect(isAlive(pidOf(server))).toBe(false);
  });

  it('ends with a reason if its first worker says nothing for a time', async () => {
    const { done } = await start('while (true) {}');
    await expect(done).rejects.toMatchObject({
      type: 'ModuleNotLoaded',
      message: expect.stringContaining('did not answer for 40 s'),
    });
    expect(seen('worker.exit')).toEqual([
      { type: 'worker.exit', pid: expect.any(Number), code: null, signal: 'SIGKILL' },
    ]);
  });

  it('runs the agents of temporal.yaml in the real worker, and gives up after three failed restarts', async () => {
    const definition = JSON.stringify(HOLDFAST);
    const name = (text: string) =>
      writeFileSync(
        join(dir, 'agents.ts'),
        `import { defineAgent } from ${definition};
export const one = defineAgent({ name: ${JSON.stringify(text)}, instructions: 'x' });`,
      );
    writeFileSync(
      join(dir, 'temporal.yaml'),
      'temporal: {address: "elsewhere:1", taskQueue: mine}\nagents: agents.ts\n' +
        'models: {default: {baseUrl: "http://127.0.0.1:9/v1", model: m}}\n',
    );
    name('support.triage');
    tree = await startDev({ cwd: dir, port: 0, uiPort: 0, onEvent: (e) => events.push(e) });
    await until(() => seen('worker.ready').length === 1, 'worker.ready');
    const [{ pid, ...ready } = { pid: 0 }] = seen('worker.ready');
    const agents = [{ name: 'support.triage', mode: 'task' }];
    expect(ready).toEqual({ type: 'worker.ready', taskQueue: 'mine', agents, missingPrograms: [] });
    name('nodots');
    process.kill(pid, 'SIGTERM');
    await expect(tree.done).rejects.toMatchObject({ message: expect.stringContaining('words joined by dots') });
    expect(seen('worker.exit').map(({ code }) => code)).toEqual([0, 1, 1, 1]);
  });

  it('ends when its server does', async () => {
    const { server, done } = await start(READY);
    await until(() => seen('worker.ready').length === 1, 'worker.ready');
    process.kill(pidOf(server), 'SIGKILL');
    await expect(done).rejects.toMatchObject({ type: 'DevServerFailed' });
    expect(isAlive(seen('worker.ready')[0]?.pid ?? 0)).toBe(false);
  });

  it('uses other ports if the usual ones are taken, and reports it', async () => {
    // If another process already has them, they are taken anyway.
    const others = await Promise.all(
      [7233, 8233].map(async (port) => {
        const other = createServer();
        await new Promise((done) => other.once('error', done).listen(port, '127.0.0.1', () => done(undefined)));
        return other;
      }),
    );
    tree = await startDev({ cwd: dir, onEvent: (e) => events.push(e), workerModule: workerOf(READY) });
    const [ready] = seen('server.ready');
    expect(ready?.moved.map(({ what, from }) => [what, from])).toEqual([
      ['Temporal', 7233],
      ['Web UI', 8233],
    ]);
    expect(tree.server.address).toBe(`127.0.0.1:${ready?.moved[0]?.to}`);
    await Promise.all(others.map((other) => new Promise((done) => other.close(done))));
  });
});
