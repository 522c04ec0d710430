import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../agent/values/defined';
import { ROOT } from '../sources';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-in-time-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs these files, of which each is the body of a test, one after the other in the order of their sizes. */
function jest(files: Record<string, string>, until?: number, list?: string) {
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(dir, `${name}.test.js`), `test('${name}', async () => {\n${body}\n}, 1e6);`);
  }
  const config = { rootDir: dir, runner: require.resolve('./in-time.js'), transform: {} };
  const { HOLDFAST_PROOFS_UNTIL: _, HOLDFAST_PROOFS_LEFT: __, ...env } = process.env;
  const given = defined({ HOLDFAST_PROOFS_UNTIL: until?.toString(), HOLDFAST_PROOFS_LEFT: list });
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/jest/bin/jest.js'), '--ci', '-w', '1', '-c', JSON.stringify(config)],
    { cwd: dir, encoding: 'utf8', env: { ...env, ...given } },
  );
  const began = Object.keys(files).filter((name) => new RegExp(`^(PASS|FAIL) .*${name}\\.test\\.js`, 'm').test(stderr));
  const [, left = ''] = /Not begun, for lack of time \(\d+\):\n((?: {2}.*\n)+)/.exec(stderr) ?? [];
  return {
    status,
    began,
    left: left
      .split('\n')
      .filter(Boolean)
      .map((line) => line.trim()),
  };
}

it('begins all files when no time is set', () => {
  expect(jest({ one: '', two: '' })).toEqual({ status: 0, began: ['one', 'two'], left: [] });
});

it('names the files for which there is no time, and does not take them for failed', () => {
  expect(jest({ one: '', two: '' }, Date.now() - 1)).toEqual({
    status: 0,
    began: [],
    left: ['one.test.js', 'two.test.js'],
  });
});

it('writes the list of those files where it is told to, for another run', () => {
  const list = join(dir, 'left.json');
  expect(jest({ one: '', two: '' }, Date.now() - 1, list)).toEqual({ status: 0, began: [], left: [] });
  expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual(['one.test.js', 'two.test.js']);
});

it('lets a file end that has begun, and still tells that it failed', () => {
  // A busy machine may need longer than this to begin the first.
  for (let seconds = 3; ; seconds *= 2) {
    const until = Date.now() + seconds * 1000;
    const wait = `while (Date.now() <= ${until}) await new Promise((done) => setTimeout(done, 50));`;
    const run = jest({ slow: `${wait} throw new Error('late');`, next: '' }, until);
    if (run.began.length === 0) continue;
    expect(run).toEqual({ status: 1, began: ['slow'], left: ['next.test.js'] });
    return;
  }
});
