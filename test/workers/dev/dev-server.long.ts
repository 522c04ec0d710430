import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveBinary } from '../../../runtime/binaries/binaries';
import { freePort } from '../../../runtime/process/ports';
import { connect } from '../../../runtime/temporal/connection';
import { startDevServer } from '../../../workers/dev/dev-server';
import { hasSearchAttributes, registerSearchAttributes } from '../../../workers/search-attributes';
import { isAlive } from '../../is-alive';
import { until } from '../../until';

const open = (address: string, namespace = 'default') =>
  connect({ temporal: { address, namespace, taskQueue: 'holdfast' } });

describe('the dev server', () => {
  it('starts with Web UI, namespace and search attributes, and leaves nothing behind', async () => {
    const server = await startDevServer({ namespace: 'mine' });
    const connection = await open(server.address);
    expect(await hasSearchAttributes(connection, 'mine')).toBe(true);
    await registerSearchAttributes(connection, 'mine');
    expect(await hasSearchAttributes(connection, 'default')).toBe(false);
    await connection.close();
    expect((await fetch(server.uiUrl)).status).toBe(200);
    expect(isAlive(server.pid)).toBe(true);
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    await server.stop();
  });

  it('reports what the server prints while it works, not while it ends', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-server-'));
    const program = join(dir, 'temporal');
    const temporal = await resolveBinary('temporal');
    const script = `#!/bin/sh
trap 'echo ends >&2; kill $child; wait $child; exit' TERM
echo works >&2
${temporal} "$@" & child=$!
wait $child\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const lines: string[] = [];
    const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: program };
    const server = await startDevServer({ ui: false, env, log: (line) => lines.push(line) });
    await server.stop();
    expect(await server.ended).not.toBe('works');
    expect(lines).toContain('works');
    expect(lines).not.toContain('ends');
    rmSync(dir, { recursive: true });
  });

  it('keeps its runs in a file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-db-'));
    const dbFile = join(dir, 'runs.db');
    const first = await startDevServer({ dbFile, ui: false });
    const connection = await open(first.address);
    await connection.workflowService.startWorkflowExecution({
      namespace: 'default',
      workflowId: 'kept',
      workflowType: { name: 'any' },
      taskQueue: { name: 'none' },
      requestId: 'once',
    });
    await connection.close();
    await first.stop();
    const second = await startDevServer({ dbFile, ui: false });
    const again = await open(second.address);
    const kept = await again.workflowService.describeWorkflowExecution({
      namespace: 'default',
      execution: { workflowId: 'kept' },
    });
    expect(kept.workflowExecutionInfo?.type?.name).toBe('any');
    await again.close();
    await second.stop();
    rmSync(dir, { recursive: true });
  });

  it('reports in one line which port is taken', async () => {
    const port = await freePort('127.0.0.1');
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    const message = (what: string) => `Port ${port} for ${what} is taken. Stop what uses it, or choose another.`;
    await expect(startDevServer({ port })).rejects.toMatchObject({ message: message('the Temporal server') });
    await expect(startDevServer({ uiPort: port })).rejects.toMatchObject({ message: message('the Web UI') });
    await new Promise((done) => other.close(done));
  });

  it('passes on the message of the server when it cannot start', async () => {
    const dbFile = join(mkdtempSync(join(tmpdir(), 'holdfast-db-')), 'broken.db');
    writeFileSync(dbFile, 'SQLite format 3\0 and nothing else');
    await expect(startDevServer({ dbFile, ui: false })).rejects.toMatchObject({
      type: 'DevServerFailed',
      message: expect.stringMatching(/^The Temporal dev server ended: .*\w/),
    });
    rmSync(dirname(dbFile), { recursive: true });
  });

  it.each([
    ['panics', 'panic: listen tcp 127.0.0.1:7: bind: address already in use', 'goroutine 1 [running]:'],
    ['reports it', 'Error: failed starting server: listen tcp 127.0.0.1:7: bind: address already in use', ''],
  ])('is started again if a part that has lost its port %s, and says why if it never works', async (_, line, trace) => {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-server-'));
    const program = join(dir, 'temporal');
    const panic = `echo '${line}' >&2; echo >&2; echo '${trace}' >&2; exit 2`;
    const script = (starts: number) => `#!/bin/sh
echo start >> ${join(dir, 'starts')}
if [ $(wc -l < ${join(dir, 'starts')}) -le ${starts} ]; then
${panic}
fi
exec ${temporal} "$@"\n`;
    const temporal = await resolveBinary('temporal');
    const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: program };
    writeFileSync(program, script(2), { mode: 0o755 });
    const server = await startDevServer({ ui: false, env });
    await server.stop();
    expect(readFileSync(join(dir, 'starts'), 'utf8')).toBe('start\n'.repeat(3));
    writeFileSync(program, script(99), { mode: 0o755 });
    await expect(startDevServer({ ui: false, env })).rejects.toMatchObject({
      type: 'DevServerFailed',
      message: `The Temporal dev server ended: ${line}`,
    });
    expect(readFileSync(join(dir, 'starts'), 'utf8')).toBe('start\n'.repeat(6));
    rmSync(dir, { recursive: true });
  });

  it('ends when the process that started it is killed', async () => {
    const script = `
      const { createJiti } = require('jiti');
      createJiti(${JSON.stringify(__filename)}).import('../../../workers/dev/dev-server')
        .then(({ startDevServer }) => startDevServer({ ui: false }))
        .then(({ pid }) => console.log(pid));`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], cwd: __dirname });
    const pid = Number(await new Promise<string>((got) => parent.stdout.once('data', (data) => got(String(data)))));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid), 'the end of the server');
  });
});

describe('search attributes', () => {
  it('are refused if one exists with another type', async () => {
    const server = await startDevServer({ ui: false });
    const connection = await open(server.address);
    const searchAttributes = { HoldfastOwner: 3 };
    await connection.operatorService.removeSearchAttributes({
      namespace: 'default',
      searchAttributes: ['HoldfastOwner'],
    });
    await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
    await expect(registerSearchAttributes(connection, 'default')).rejects.toMatchObject({
      type: 'SearchAttributeConflict',
      data: { name: 'HoldfastOwner', namespace: 'default', has: 'Int', needs: 'Keyword' },
    });
    expect(await hasSearchAttributes(connection, 'default')).toBe(false);
    await connection.close();
    await server.stop();
  });
});
