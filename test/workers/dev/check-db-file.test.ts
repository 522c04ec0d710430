import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

it.each(['new.db', 'empty.db', 'kept.db'])('a dev server is started with %s', async (name) => {
  const dbFile = join(dir, name);
  writeFileSync(join(dir, 'empty.db'), '');
  writeFileSync(join(dir, 'kept.db'), 'SQLite format 3\0…');
  const program = join(dir, 'temporal');
  writeFileSync(program, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: program };
  await expect(startDevServer({ ui: false, env, dbFile })).rejects.toThrow(`--db-filename ${dbFile}`);
  expect(existsSync(dbFile)).toBe(true);
});
