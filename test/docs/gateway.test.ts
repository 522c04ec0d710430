import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../runtime/config/config';
import { loadModels } from '../../workers/load/load-models';
import { ask, failureOf } from '../activities/model/asking';
import { lookup } from '../activities/model/lookup';
import { closeAfterTest } from '../close-after-test';
import { ROOT } from '../sources';
import { blocksOf } from './pages';

/** Importing all of `holdfast/worker` from its sources would take seconds. */
const LIGHT: { readonly [name: string]: string } = {
  defineModel: 'activities/model/adapters/function/define-model',
  ModelServerError: 'activities/model/failures/server-error',
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-gateway-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A gateway of the guide: lines of JSON, in pieces of a few bytes. */
async function gateway(status: number, ...lines: object[]) {
  const asked: { authorization: string | undefined; body: object }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status, { 'retry-after': '7' });
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    for (let at = 0; at < text.length; at += 9) {
      await new Promise((written) => response.write(text.slice(at, at + 9), written));
    }
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closeAfterTest({ close: () => new Promise((closed) => server.close(closed)) });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/generate` };
}

/** The model of the guide, loaded as a worker loads it. */
async function modelOf(url: string) {
  const block = blocksOf('guides/models.md', 'ts').find(({ code }) => code.startsWith('// models.ts'));
  if (block === undefined) throw new Error('The guide has no models.ts');
  const imports = Object.entries(LIGHT).map(([name, path]) => `import { ${name} } from '${join(ROOT, path)}';`);
  const code = block.code
    .replace(/^import .*$/m, `${imports.join('\n')}\ntype ModelPart = object;`)
    .replace(/process\.env\.(\w+)/g, (_, name) => (name === 'GATEWAY_URL' ? JSON.stringify(url) : "'key-1234567890'"));
  writeFileSync(join(dir, 'models.ts'), code);
  const yaml = blocksOf('guides/models.md', 'yaml').find((one) => one.code.includes('module: ./models.ts'));
  writeFileSync(join(dir, 'temporal.yaml'), yaml?.code ?? '');
  const { claude } = await loadModels(await loadConfig({ cwd: dir, env: {} }));
  if (claude === undefined) throw new Error('The guide has no `claude`');
  return claude;
}

it('the gateway of the guide answers', async () => {
  const { url, asked } = await gateway(
    200,
    { text: 'I look for „Möhren“.' },
    { call: { id: 'a', name: 'look_up', arguments: '{"q":"x"}' } },
    { call: { id: 'b', name: 'look_up', arguments: '{"q":"y"}' } },
    { end: { cut: false, sent: 7, received: 3 } },
  );
  const model = await modelOf(url);
  expect(model).toMatchObject({ contextWindow: 100_000, patience: 3_600_000 });
  expect(await ask(model, { tools: [lookup], system: 'Sort.' })).toMatchObject({
    parts: [{ type: 'text', text: 'I look for „Möhren“.' }],
    toolRequests: [
      { providerId: 'a', input: { q: 'x' } },
      { providerId: 'b', input: { q: 'y' } },
    ],
    usage: { prompt: 7, completion: 3 },
  });
  expect(asked).toMatchObject([
    {
      authorization: 'Bearer key-1234567890',
      body: { model: 'claude-large', system: 'Sort.', tools: [{ name: 'look_up' }] },
    },
  ]);
});

it('its errors are those of any model, also from another copy of the package', async () => {
  const { url } = await gateway(429, { error: 'slower, key-1234567890' });
  const failure = await failureOf(ask(await modelOf(url)));
  expect(failure).toMatchObject({ type: 'ModelRateLimited', nextRetryDelay: 7000 });
  expect(failure.message).not.toContain('key-1234567890');
});

it('an answer of it that breaks off is requested again', async () => {
  const { url } = await gateway(200, { text: 'x' });
  expect(await failureOf(ask(await modelOf(url)))).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
});
