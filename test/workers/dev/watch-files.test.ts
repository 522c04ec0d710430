import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FileWatch, watchFiles } from '../../../workers/dev/watch-files';
import { until } from '../../until';

let dir: string;
let files: FileWatch;
let changed: string[];
const path = (name: string) => join(dir, name);
const write = (name: string, content = name) => writeFileSync(path(name), content);
const seen = (...names: string[]) =>
  until(() => names.every((name) => changed.includes(path(name))), `a report of ${names.join(', ')}`);

const tick = () => setTimeout(20); // times of files are those of the last tick of the system's clock

/** A time after all changes so far, and before all others. */
async function now(): Promise<number> {
  await tick();
  const time = Date.now();
  await tick();
  return time;
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-watch-'));
  changed = [];
  files = watchFiles((paths) => changed.push(...paths));
  write('agents.ts');
  write('old.ts');
});
afterEach(async () => {
  await files.close();
  rmSync(dir, { recursive: true });
});

describe('files that are watched', () => {
  it('count when their content changes, are replaced, or go', async () => {
    files.watch([path('agents.ts'), path('word.ts'), path('old.ts')], { since: await now() });
    write('agents.ts', 'other');
    await seen('agents.ts');
    write('draft', 'new');
    renameSync(path('draft'), path('word.ts'));
    await seen('word.ts');
    rmSync(path('old.ts'));
    await seen('old.ts');
  });

  it('do not count when they are saved unchanged, nor do others of their folder', async () => {
    files.watch([path('agents.ts'), path('old.ts')], { since: await now() });
    write('agents.ts');
    write('run.log');
    write('other.ts');
    write('old.ts', 'other');
    await seen('old.ts');
    expect(changed).toEqual([path('old.ts')]);
  });

  it('count when they changed after they may have been read, and before they were watched', async () => {
    const since = await now();
    write('agents.ts', 'other');
    files.watch([path('agents.ts'), path('old.ts')], { since });
    await seen('agents.ts');
    expect(changed).toEqual([path('agents.ts')]);
  });

  it('do not count when they are written in pieces that end as what they were', async () => {
    files.watch([path('agents.ts'), path('old.ts')], { since: await now() });
    write('old.ts', 'other');
    await seen('old.ts');
    write('agents.ts', '');
    await setTimeout(20);
    write('agents.ts');
    await setTimeout(20);
    write('old.ts', 'and another');
    await until(() => changed.length > 1, 'a report');
    expect(changed).toEqual([path('old.ts'), path('old.ts')]);
  });

  it('count when they change between two lists of files', async () => {
    const since = await now();
    files.watch([path('agents.ts')], { since });
    files.watch([path('agents.ts'), path('old.ts')], { since });
    write('agents.ts', 'other');
    files.watch([path('agents.ts')], { since: Date.now() });
    await seen('agents.ts');
  });
});

describe('files that appear while an import is missing', () => {
  const missing = async () => files.watch([path('agents.ts')], { since: await now(), neighbours: true });

  it('count', async () => {
    await missing();
    write('missing.ts');
    write('run.log');
    await seen('missing.ts');
    expect(changed).toEqual([path('missing.ts')]);
  });

  it('count at the very moment at which a folder is looked at again', async () => {
    await missing();
    write('first.ts');
    await seen('first.ts');
    for (let n = 0; n < 20; n++) {
      files.watch([path('agents.ts')], { since: Date.now(), neighbours: true });
      write(`missing-${n}.ts`);
      await seen(`missing-${n}.ts`);
    }
  });

  it('count when they came before the folder was watched, also with an older date', async () => {
    const since = await now();
    write('draft');
    utimesSync(path('draft'), 1, 1);
    renameSync(path('draft'), path('missing.ts'));
    files.watch([path('agents.ts')], { since, neighbours: true });
    await seen('missing.ts');
    expect(changed).toEqual([path('missing.ts')]);
  });

  it('count in a folder that appears with them', async () => {
    await missing();
    mkdirSync(path('lib/deep'), { recursive: true });
    write('lib/deep/missing.ts');
    await seen('lib/deep/missing.ts');
  });

  it('count in a folder that appeared before its parent was watched', async () => {
    const since = await now();
    mkdirSync(path('lib'));
    files.watch([path('agents.ts')], { since, neighbours: true });
    write('lib/missing.ts');
    await seen('lib/missing.ts');
  });

  it('do not count if they were there before', async () => {
    mkdirSync(path('lib'));
    write('lib/other.ts');
    await missing();
    write('old.ts', 'other');
    await seen('old.ts');
    expect(changed).toEqual([path('old.ts')]);
  });
});
