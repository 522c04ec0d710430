import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freshFolder, listFolder } from '../../../examples/screenshots/folder';
import { RUN_TS } from '../../sources';

const SERVER = join(__dirname, '../../../examples/screenshots/ocr-server.ts');

/** Speaks JSON-RPC without a client library, so that it sees anything else in the server's output. */
class OcrServer {
  readonly lines: string[] = [];
  readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (message: { result: Result }) => void>();
  private id = 0;

  constructor(...args: string[]) {
    this.process = spawn(process.execPath, [RUN_TS, SERVER, ...args]);
    createInterface(this.process.stdout).on('line', (line) => {
      this.lines.push(line);
      const message = JSON.parse(line) as { id: number; result: Result };
      this.waiting.get(message.id)?.(message);
    });
  }

  async request(method: string, params: object): Promise<Result> {
    const id = ++this.id;
    const answer = new Promise<{ result: Result }>((resolve) => this.waiting.set(id, resolve));
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return (await answer).result;
  }

  async initialize(): Promise<Result> {
    const clientInfo = { name: 'test', version: '1' };
    const result = await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return result;
  }

  read(path: string): Promise<Result> {
    return this.request('tools/call', { name: 'extract_text_from_image', arguments: { path } });
  }
}

interface Result {
  serverInfo?: { name: string };
  tools?: { name: string; annotations: object; inputSchema: object }[];
  isError?: boolean;
  content?: { type: string; text: string }[];
}

let folder = '';
let server: OcrServer;
beforeAll(async () => {
  folder = await freshFolder();
  await writeFile(join(folder, 'notes.png'), 'no picture');
  server = new OcrServer(folder);
  expect((await server.initialize()).serverInfo?.name).toBe('ocr');
});
afterAll(async () => {
  server.process.kill();
  await rm(folder, { recursive: true });
});

test('it offers one tool that only reads', async () => {
  const { tools } = await server.request('tools/list', {});
  expect(tools).toEqual([
    expect.objectContaining({
      name: 'extract_text_from_image',
      annotations: expect.objectContaining({ readOnlyHint: true, idempotentHint: true }),
      inputSchema: expect.objectContaining({ required: ['path'] }),
    }),
  ]);
});

test('it reads several pictures that are requested at once', async () => {
  const names = (await listFolder(folder)).filter((name) => name.startsWith('Screenshot')).slice(0, 3);
  const results = await Promise.all(names.map((name) => server.read(join(folder, name))));
  expect(results.map(({ isError, content }) => [isError ?? false, content?.[0]?.text.slice(0, 13)])).toEqual([
    [false, 'Meeting Notes'],
    [false, 'Invoice 20417'],
    [false, 'Boarding Pass'],
  ]);
});

test.each([
  ['/etc/hostname', 'it is outside of'],
  ['../secret.png', 'it is outside of'],
  ['none.png', 'there is no such file'],
  ['notes.png', 'it is not a picture'],
])('it refuses %s with an error result: %s', async (path, problem) => {
  const { isError, content } = await server.read(path);
  expect(isError).toBe(true);
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining(`Cannot read ${path}: ${problem}`) }]);
});

test('its output is only JSON-RPC, and it exits when its input closes', async () => {
  server.process.stdin.end();
  const [code] = (await once(server.process, 'exit')) as [number];
  expect(code).toBe(0);
  for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number) });
});

test('it exits with one line about a folder that does not exist', async () => {
  const { process: child } = new OcrServer('/nowhere');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  expect([code, said]).toEqual([1, 'There is no folder /nowhere\n']);
});
