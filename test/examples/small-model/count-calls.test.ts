import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { freshFolder } from '../../../examples/screenshots/folder';
import { repeatedIn } from '../../../examples/small-model/play';
import { renamesIn, resetCalls } from '../../../examples/small-model/renames';
import { ROOT } from '../../sources';
import { EXPECTED } from '../screenshots/expected-names';

const SERVER = join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const [FROM = '', TO = ''] = Object.entries(EXPECTED)[0] ?? [];

let folder: string;
let notes: string;
let client: Client;
beforeAll(async () => {
  folder = await freshFolder();
  notes = await mkdtemp(join(tmpdir(), 'holdfast-calls-'));
  client = new Client({ name: 'test', version: '1' });
  const args = [
    join(ROOT, 'examples/small-model/count-calls.mjs'),
    join(notes, 'calls'),
    process.execPath,
    SERVER,
    folder,
  ];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
  await rm(notes, { recursive: true });
});

const move = () =>
  client.callTool({
    name: 'move_file',
    arguments: { source: join(folder, FROM), destination: join(folder, TO) },
  });

test('it counts what reaches the server, failed calls included, and only renames are renames', async () => {
  const file = join(notes, 'calls');
  await resetCalls(file);
  await client.callTool({ name: 'list_directory', arguments: { path: folder } });
  expect((await move()).isError).toBeFalsy();
  expect(await renamesIn(file)).toEqual([{ from: FROM, to: TO }]);
  expect((await move()).isError).toBe(true);
  const twice = await renamesIn(file);
  expect(twice).toEqual([
    { from: FROM, to: TO },
    { from: FROM, to: TO },
  ]);
  expect(repeatedIn(twice)).toEqual([FROM]);
  await resetCalls(file);
  expect(await renamesIn(file)).toEqual([]);
});
