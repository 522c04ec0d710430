import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevServer } from '../../../workers/dev/dev-server';

const dir = mkdtempSync(join(tmpdir(), 'holdfast-killed-'));
afterAll(() => rmSync(dir, { recursive: true }));

it.each([
  [
    'echo \'level=ERROR msg="shard status unknown"\' >&2; ',
    '. The last line that it printed: level=ERROR msg="shard status unknown"',
  ],
  ['', ''],
])('a dev server that is killed names the signal, whatever it printed before: %s', async (before, after) => {
  const program = join(dir, 'temporal');
  writeFileSync(program, `#!/bin/sh\n${before}kill -9 $$\n`, { mode: 0o755 });
  const env = { ...process.env, HOLDFAST_TEMPORAL_BIN: program };
  await expect(startDevServer({ ui: false, env })).rejects.toMatchObject({
    type: 'DevServerFailed',
    message: `The Temporal dev server ended: killed by SIGKILL${after}`,
  });
});
