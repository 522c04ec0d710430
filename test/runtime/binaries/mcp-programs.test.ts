import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent } from 'holdfast';
import { missingPrograms } from '../../../runtime/binaries/mcp-programs';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-mcp-'));
  writeFileSync(join(dir, 'serve'), '#!/bin/sh\n');
  chmodSync(join(dir, 'serve'), 0o755);
});
afterAll(() => rmSync(dir, { recursive: true }));

it('only programs that agents use and that are not on this machine are missing', async () => {
  const configured = {
    here: { command: './serve', cwd: dir },
    elsewhere: { command: './serve', cwd: join(dir, 'other') },
    'on-path': { command: 'serve', env: { PATH: dir } },
    'not-on-path': { command: 'serve' },
    remote: { url: 'https://example.com/mcp' },
    unused: { command: 'no-such-program' },
  };
  const { unused: _unused, ...used } = configured;
  const agent = defineAgent({
    name: 'support.desk',
    mcp: {
      ...Object.fromEntries(Object.keys(used).map((alias) => [alias, alias])),
      own: { command: 'no-such-program' },
    },
  });
  expect(await missingPrograms([agent, agent], configured)).toEqual([
    { server: 'elsewhere', command: './serve' },
    { server: 'not-on-path', command: 'serve' },
    { server: 'support.desk/own', command: 'no-such-program' },
  ]);
});
