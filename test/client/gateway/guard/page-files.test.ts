import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServedKit, serveAlone } from '../kit';
import { exchange } from './raw-http';

const SECRET = 'not for the world';
const INDEX = '<title>The page</title>';
const APP = 'console.log("page")';
const dir = mkdtempSync(join(tmpdir(), 'holdfast-page-'));
let gateway: ServedKit;
beforeAll(async () => {
  const page = join(dir, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(dir, 'page-private'));
  writeFileSync(join(page, 'index.html'), INDEX);
  writeFileSync(join(page, 'assets', 'app.js'), APP);
  for (const name of ['secret.json', 'page-private/secret.json']) writeFileSync(join(dir, name), SECRET);
  gateway = await serveAlone({ page });
});
afterAll(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true });
});

const get = (path: string) =>
  exchange(gateway.url, `GET ${path} HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n`);

test('the files of the page are served', async () => {
  expect(await get('/')).toContain(INDEX);
  expect(await get('/runs/local:x')).toContain(INDEX);
  expect(await get('/assets/app.js')).toContain(APP);
  expect(await get('/assets/other.js')).toMatch(/^HTTP\/1\.1 404 /);
});

const UP = ['..', '%2e%2e', '.%2e', '%2E.', '%252e%252e', '..;', '%c0%ae%c0%ae', '\\..', '%5c..', '..%00'];
const SLASHES = ['/', '//', '%2f', '%252f', '%5c', '\\'];
const PATHS = UP.flatMap((up) =>
  SLASHES.flatMap((slash) =>
    ['secret.json', 'page-private/secret.json'].flatMap((name) => [
      `/${up}${slash}${name}`,
      `/assets/${up}${slash}${up}${slash}${name}`,
      `/${up}${slash}${up}${slash}${up}${slash}${dir.slice(1)}${slash}${name}`,
    ]),
  ),
);

test.each([
  ...PATHS,
  `/${dir}/secret.json`,
  `//${dir}/secret.json`,
  `/assets/..%2f..%2f..${encodeURIComponent(dir)}%2fsecret.json`,
  '/secret.json%00.js',
  '/%00',
  '/%',
  '/assets/%ff.js',
  `/${'../'.repeat(1000)}secret.json`,
  `/${'a'.repeat(5000)}.js`,
])('%s leads to nothing outside of them', async (path) => {
  const answer = await get(path);
  expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404|421) /);
  expect(answer).not.toContain(SECRET);
  if (answer.startsWith('HTTP/1.1 200')) expect(answer).toContain(INDEX);
});
