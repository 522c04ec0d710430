import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ReplyCall } from 'holdfast/testing';
import { freshFolder, listFolder } from '../../../examples/screenshots/folder';
import { RUN_TS } from '../../sources';
import { append, ask, TOOLS } from './desk';
import { EXPECTED } from './expected-names';

const ROOT = join(__dirname, '../../..');
const FILES = join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const OCR = join(ROOT, 'examples/screenshots/ocr-server.ts');

let folder = '';
let files: Client;
let ocr: Client;

async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
}

beforeAll(async () => {
  folder = await freshFolder();
  [files, ocr] = await Promise.all([connect(FILES, folder), connect(RUN_TS, OCR, folder)]);
});
afterAll(async () => {
  await Promise.all([files.close(), ocr.close()]);
  await rm(folder, { recursive: true });
});

async function run({ name, arguments: args }: ReplyCall): Promise<string> {
  const [client, tool] = name === TOOLS.read ? [ocr, name.slice('ocr_'.length)] : [files, name.slice('files_'.length)];
  const { content } = await client.callTool({ name: tool, arguments: args as { [name: string]: unknown } });
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
}

test('with the real servers every picture of a real folder gets its name', async () => {
  const messages = [{ role: 'user' as const, content: JSON.stringify({ folder }) }] as Parameters<typeof ask>[0];
  for (let turn = 1; turn <= 8; turn++) {
    const reply = ask(messages);
    const results = await Promise.all((reply.calls ?? []).map(run));
    append(messages, reply, () => results.shift() ?? '');
  }
  expect(JSON.parse(String(messages.at(-1)?.content))).toEqual({
    renamed: Object.entries(EXPECTED).map(([from, to]) => ({ from, to })),
    skipped: [],
  });
  expect(await listFolder(folder)).toEqual(Object.values(EXPECTED).sort());
});
