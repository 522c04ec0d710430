import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JITI } from '../sources';

const ROOT = join(__dirname, '../..');

it('loads no tool code and no worker into a process that uses holdfast/client by name', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [JITI, join(__dirname, 'client-process.ts')]);
  const { loaded, connected } = JSON.parse(stdout) as { loaded: string[]; connected: string };
  // The client was loaded and works: there is no server at its address.
  expect(connected).toBe('NoServer');
  expect(loaded).toContain(join(ROOT, 'client/agent-client.ts'));
  expect(loaded.some((path) => path.includes('/@temporalio/client/'))).toBe(true);

  const unwanted =
    /\/(activities|workers|workflows|cli|test\/kit)\/|\/node_modules\/(@temporalio\/(worker|core-bridge|activity|testing)|openai|@modelcontextprotocol|ajv|@swc|webpack)\//;
  expect(loaded.map((path) => path.slice(ROOT.length)).filter((path) => unwanted.test(path))).toEqual([]);
});
