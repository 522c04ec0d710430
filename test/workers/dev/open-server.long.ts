import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../runtime/process/ports';
import { connect } from '../../../runtime/temporal/connection';
import { type DevEvent, type DevTree, startDev } from '../../../workers/dev/dev';
import { startDevServer } from '../../../workers/dev/dev-server';

const IP = '127.0.0.1';
let dir: string;
let trees: DevTree[];
let events: DevEvent[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-open-'));
  trees = [];
  events = [];
});
afterEach(async () => {
  await Promise.all(trees.map((tree) => tree.stop()));
  rmSync(dir, { recursive: true });
});

const config = (source: string) => writeFileSync(join(dir, 'temporal.yaml'), source);
async function open(options: { port?: number; env?: { [name: string]: string } } = {}): Promise<DevTree> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
  const onEvent = (event: DevEvent) => void events.push(event);
  const tree = await startDev({ ...options, env, cwd: dir, uiPort: 0, serverOnly: true, onEvent });
  trees.push(tree);
  return tree;
}

describe('the server of `holdfast dev`', () => {
  it('is the one at the configured address if it answers, which goes on when the tree ends', async () => {
    const port = await freePort(IP);
    const uiPort = await freePort(IP, [port]);
    const server = await startDevServer({ port, uiPort });
    config(`temporal: {address: '${IP}:${port}', namespace: default}\n`);
    const found = { started: false, server: { address: `${IP}:${port}`, namespace: 'default' } };
    const tree = await startDev({ cwd: dir, uiPort, serverOnly: true, onEvent: (event) => events.push(event) });
    expect(events).toMatchObject([{ type: 'server.ready', ...found, moved: [] }]);
    expect(tree.server.uiUrl).toBe(server.uiUrl);
    await tree.done;
    await tree.stop();
    const connection = await connect({ temporal: { ...tree.server, taskQueue: '' } });
    await connection.close();
    await server.stop();
  });

  it('is started at the configured address if that is on this machine and nothing answers', async () => {
    const port = await freePort(IP);
    config(`temporal: {address: 'localhost:${port}', namespace: mine}\ndevServer: {port: 1}\n`);
    const { server } = await open();
    expect(server).toMatchObject({ address: `${IP}:${port}`, namespace: 'mine', pid: expect.any(Number) });
    // A server that is slow to start prints that it is not ready.
    const told = events.filter(({ type }) => type !== 'server.log');
    expect(told).toMatchObject([{ type: 'server.ready', started: true, moved: [] }]);
  });

  it('follows TEMPORAL_ADDRESS too', async () => {
    const port = await freePort(IP);
    const { server } = await open({ env: { TEMPORAL_ADDRESS: `${IP}:${port}` } });
    expect(server.address).toBe(`${IP}:${port}`);
  });

  it('is not started for an address of another machine that does not answer, unless a port is given', async () => {
    config("temporal: {address: '127.0.0.2:1'}\n");
    await expect(open()).rejects.toMatchObject({
      type: 'NoServer',
      message: expect.stringMatching(
        /^No Temporal server answers at 127\.0\.0\.2:1 \(.*\)\. `holdfast dev` starts a server only on this machine: correct or remove `temporal\.address`/,
      ),
    });
    expect((await open({ port: 0 })).server.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('is started at a free port by those who start one at the same moment', async () => {
    const onEvent = () => undefined;
    const several = [1, 2, 3].map(() => startDev({ cwd: dir, serverOnly: true, onEvent }));
    for (const start of await Promise.allSettled(several)) if (start.status === 'fulfilled') trees.push(start.value);
    expect(new Set(trees.map(({ server }) => server.address)).size).toBe(3);
    expect(new Set(trees.map(({ server }) => server.uiUrl)).size).toBe(3);
  });
});
