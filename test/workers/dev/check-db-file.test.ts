import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevServer } from '../../../workers/dev/dev-server';

const dir = mkdtempSync(join(tmpdir(), 'holdfast-db-'));
afterAll(() => rmSync(dir, { recursive: true }));

// Before: "failed creating namespaces: unable to create SQLite admin DB: unable to open database file (14)".
it.each([
  ['a folder', '', 'It is a folder; name a file'],
  ['a file in a folder that does not exist', 'none/runs.db', `There is no folder ${join(dir, 'none')}`],
  ['another file', 'temporal.yaml', 'It is not a file in which runs were kept; name another one, or a new one'],
])('a dev server refuses to keep runs in %s', async (_, name, problem) => {
  writeFileSync(join(dir, 'temporal.yaml'), 'agents: ./agents.ts\n');
  const dbFile = join(dir, name);
  const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: '/bin/false' };
  await expect(startDevServer({ ui: false, env, dbFile })).rejects.toMatchObject({
    type: 'InvalidConfig',
    message: `${dbFile}: ${problem}`,
  });
});

it('a dev server is started with a file in which runs were kept, which stays as it is', async () => {
  const dbFile = join(dir, 'kept.db');
  writeFileSync(dbFile, 'SQLite format 3\0…');
  const program = join(dir, 'temporal');
  writeFileSync(program, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: program };
  await expect(startDevServer({ ui: false, env, dbFile })).rejects.toThrow(`--db-filename ${dbFile}`);
  expect(readFileSync(dbFile, 'latin1')).toMatch(/^SQLite format 3/);
});

// The server takes a file that exists for one with its tables, and ends.
it.each([
  ['that does not exist', (_: string) => {}],
  ['that is empty', (dbFile: string) => writeFileSync(dbFile, '')],
  ['that a link names which leads nowhere', (dbFile: string) => symlinkSync(`${dbFile}.later`, dbFile)],
])('a dev server keeps its runs in a file %s', async (_, prepare) => {
  const dbFile = join(mkdtempSync(join(dir, 'real-')), 'runs.db');
  prepare(dbFile);
  const server = await startDevServer({ dbFile, ui: false });
  await server.stop();
  expect(readFileSync(dbFile, 'latin1')).toMatch(/^SQLite format 3/);
});
