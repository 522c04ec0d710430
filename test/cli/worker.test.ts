import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/process/ports';
import { HOLDFAST, MAIN, RUN_TS } from '../sources';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-worker-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** `holdfast worker` for a server that does not answer. */
async function worker(model: string): Promise<{ code: unknown; out: string; err: string }> {
  const agent = `defineAgent({ name: 'worker.one', instructions: 'x', model: '${model}' })`;
  const agents = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};\nexport const one = ${agent};`;
  writeFileSync(join(dir, `${model}.ts`), agents);
  const config = join(dir, 'temporal.yaml');
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`;
  writeFileSync(
    config,
    [
      `temporal: {address: '${address}'}`,
      `agents: ./${model}.ts`,
      "models: {known: {baseUrl: 'http://127.0.0.1:1/v1', model: m}}",
    ].join('\n'),
  );
  const env = { ...process.env, HOLDFAST_CONNECT_TIMEOUT: '4' };
  return new Promise((done) => {
    execFile(process.execPath, [RUN_TS, MAIN, 'worker', '--config', config], { env }, (error, out, err) =>
      done({ code: error?.code ?? 0, out, err }),
    );
  });
}

test('`holdfast worker` waits for a server as long as other commands do', async () => {
  expect(await worker('known')).toEqual({
    code: 3,
    out: '',
    err: expect.stringMatching(
      /^wait {2}No Temporal server answers at .* yet; trying for 4 s\nNo Temporal server answers .*\n$/,
    ),
  });
});

test('`holdfast worker` says at once what is wrong without a server', async () => {
  expect(await worker('unknown')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^No model has the alias `\w+`, which the agent `[\w.]+` names/),
  });
});
