import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const biome = require.resolve('@biomejs/biome/bin/biome');
const root = join(__dirname, '..');
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-lint-'));
  for (const name of ['biome.json', 'lint']) cpSync(join(root, name), join(dir, name), { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true }));

/** The linter's messages about code in these files, by file. One process reads all: to start it takes longest. */
function lintAll(files: { [file: string]: string }): { [file: string]: string } {
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), code);
  }
  const args = [biome, 'lint', '--max-diagnostics=none', ...Object.keys(files)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });
  for (const file of Object.keys(files)) rmSync(join(dir, file));
  const said = Object.fromEntries(Object.keys(files).map((file) => [file, '']));
  let about = '';
  for (const line of `${stdout}\n${stderr}`.split('\n')) {
    about = /^(\S+?):\d+:\d+ /.exec(line)?.[1] ?? about;
    if (about in said) said[about] += `${line}\n`;
  }
  return said;
}

/** The messages about the same code in each of these files. */
function lintIn(files: readonly string[], code: string): string[] {
  const said = lintAll(Object.fromEntries(files.map((file) => [file, code])));
  return files.map((file) => said[file] ?? '');
}

const FROM = "from '@temporalio/workflow';";

it.each([
  ['the length of history', 'export const at = () => workflowInfo().historyLength;'],
  ['the length, destructured', 'export const { historyLength } = workflowInfo();'],
  ['whether it is a replay', 'export const again = () => workflowInfo().unsafe.isReplaying;'],
])('the linter refuses workflow code that looks at %s', (_, line) => {
  const code = `import { workflowInfo } ${FROM}\n${line}\n`;
  const [refused, ...allowed] = lintIn(
    ['workflows/example.ts', 'workflows/run/look-ahead.ts', 'client/example.ts'],
    code,
  );
  expect(refused).toContain('Decide by state');
  for (const said of allowed) expect(said).not.toContain('Decide by state');
});

it.each(['let count = 0;', 'export let count = 0;', 'var count = 0;'])(
  'the linter refuses `%s` of a module that workflows share',
  (line) => {
    const code = `${line}\nexport const next = () => {\n  let more = 1;\n  more += count;\n  count = more;\n};\n`;
    const [refused, allowed] = lintIn(['workflows/example.ts', 'client/example.ts'], code);
    expect(refused?.match(/keep state in the run/g)).toHaveLength(1);
    expect(allowed).not.toContain('keep state in the run');
  },
);

it.each(['proxyLocalActivities', 'scheduleLocalActivity', 'condition'])(
  'the linter refuses `%s` in a workflow',
  (name) => {
    const code = `import { ${name} } ${FROM}\nexport const taken = ${name};\n`;
    const [anywhere, inWait] = lintIn(['workflows/example.ts', 'workflows/waits/wait.ts'], code);
    expect(anywhere).toContain('lint/style/noRestrictedImports');
    if (name === 'condition') expect(inWait).not.toContain('noRestrictedImports');
    else expect(inWait).toContain('noRestrictedImports');
  },
);

it('the linter lets only a wait leave a marker', () => {
  const code = "import { fence } from '../view/visibility';\nexport const taken = fence;\n";
  const other = "import { publish } from '../view/visibility';\nexport const taken = publish;\n";
  const said = lintAll({
    'workflows/calls/example.ts': code,
    'workflows/waits/wait.ts': code,
    'workflows/calls/other.ts': other,
  });
  expect(said['workflows/calls/example.ts']).toContain('Markers are left by waits/wait.ts alone');
  expect(said['workflows/waits/wait.ts']).not.toContain('Markers are left');
  expect(said['workflows/calls/other.ts']).not.toContain('Markers are left');
});

const PRINTS = [
  "console.log('x');",
  "console['error']('x');",
  "globalThis.console.warn('x');",
  'const { log } = console; log(1);',
  "process.stdout.write('x');",
  "process.stderr.write('x');",
  "process['stdout'].write('x');",
  "globalThis.process.stderr.write('x');",
  "const { stdout } = process; stdout.write('x');",
  "const { stderr: other } = process; other.write('x');",
  "import { stdout } from 'node:process'; stdout.write('x');",
  "import { Console } from 'node:console'; new Console({} as never);",
  "import { writeSync } from 'node:fs'; writeSync(1, 'x');",
  "import * as fs from 'node:fs'; fs.writeSync(2, 'x');",
];

it('the linter refuses all that prints: one file does', () => {
  const said = lintAll(Object.fromEntries(PRINTS.map((line, i) => [`cli/example-${i}.ts`, `${line}\n`])));
  const missed = PRINTS.filter((_, i) => !said[`cli/example-${i}.ts`]?.includes('Print with `runtime/print.ts`'));
  expect(missed).toEqual([]);
});

it('the linter refuses it in every room, and allows it in that file', () => {
  const line = "console.log('x');\n";
  const rooms = ['client/example.ts', 'workflows/example.ts', 'runtime/example.ts'];
  const [allowed, ...refused] = lintIn(['runtime/print.ts', ...rooms], line);
  for (const said of refused) expect(said).toContain('Print with `runtime/print.ts`');
  expect(allowed).not.toContain('Print with');
});

it('the linter refuses prompts that do not go through the file which hides nothing', () => {
  const code = "export const load = () => import('@clack/prompts');\n";
  const [refused, allowed] = lintIn(['cli/example.ts', 'cli/inbox/prompts.ts'], code);
  expect(refused).toContain('noRestrictedImports');
  expect(allowed).not.toContain('noRestrictedImports');
});

it('the linter refuses `withAbortSignal`, which leaves a listener, except in one place', () => {
  const code = 'export const stop = (c: any, s: AbortSignal) => c.withAbortSignal(s, () => 1);\n';
  const [refused, allowed] = lintIn(['client/example.ts', 'runtime/temporal/unless-aborted.ts'], code);
  expect(refused).toContain('Use `unlessAborted`');
  expect(allowed).not.toContain('Use `unlessAborted`');
});

it('the linter refuses `AbortSignal.any`, except in the page', () => {
  const code = 'export const either = (a: AbortSignal, b: AbortSignal) => AbortSignal.any([a, b]);\n';
  const [refused, allowed] = lintIn(['client/example.ts', 'client/web/example.ts'], code);
  expect(refused).toContain('Use `linkedAbort`');
  expect(allowed).not.toContain('Use `linkedAbort`');
});
