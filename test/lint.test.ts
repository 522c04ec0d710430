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

/** The linter's messages about code in that file. */
function lint(file: string, code: string): string {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), code);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', file], { cwd: dir, encoding: 'utf8' });
  rmSync(join(dir, file));
  return `${stdout}${stderr}`;
}

const FROM = "from '@temporalio/workflow';";

it.each([
  ['the length of history', 'export const at = () => workflowInfo().historyLength;'],
  ['the length, destructured', 'export const { historyLength } = workflowInfo();'],
  ['whether it is a replay', 'export const again = () => workflowInfo().unsafe.isReplaying;'],
])('the linter refuses workflow code that looks at %s', (_, line) => {
  const code = `import { workflowInfo } ${FROM}\n${line}\n`;
  expect(lint('workflows/example.ts', code)).toContain('Decide by state');
  expect(lint('workflows/run/look-ahead.ts', code)).not.toContain('Decide by state');
  expect(lint('client/example.ts', code)).not.toContain('Decide by state');
});

it.each(['let count = 0;', 'export let count = 0;', 'var count = 0;'])(
  'the linter refuses `%s` of a module that workflows share',
  (line) => {
    const code = `${line}\nexport const next = () => {\n  let more = 1;\n  more += count;\n  count = more;\n};\n`;
    const refused = lint('workflows/example.ts', code);
    expect(refused.match(/keep state in the run/g)).toHaveLength(1);
    expect(lint('client/example.ts', code)).not.toContain('keep state in the run');
  },
);

it.each(['proxyLocalActivities', 'scheduleLocalActivity', 'condition'])(
  'the linter refuses `%s` in a workflow',
  (name) => {
    const code = `import { ${name} } ${FROM}\nexport const taken = ${name};\n`;
    expect(lint('workflows/example.ts', code)).toContain('lint/style/noRestrictedImports');
    if (name === 'condition') expect(lint('workflows/waits/wait.ts', code)).not.toContain('noRestrictedImports');
    else expect(lint('workflows/waits/wait.ts', code)).toContain('noRestrictedImports');
  },
);

it('the linter lets only a wait leave a marker', () => {
  const code = "import { fence } from '../view/visibility';\nexport const taken = fence;\n";
  expect(lint('workflows/calls/example.ts', code)).toContain('Markers are left by waits/wait.ts alone');
  expect(lint('workflows/waits/wait.ts', code)).not.toContain('Markers are left');
  const other = "import { publish } from '../view/visibility';\nexport const taken = publish;\n";
  expect(lint('workflows/calls/example.ts', other)).not.toContain('Markers are left');
});

it.each([
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
])('the linter refuses `%s`: one file prints', (line) => {
  expect(lint('cli/example.ts', `${line}\n`)).toContain('Print with `runtime/print.ts`');
});

it('the linter refuses it in every room, and allows it in that file', () => {
  const line = "console.log('x');\n";
  for (const room of ['client', 'workflows', 'runtime']) {
    expect(lint(`${room}/example.ts`, line)).toContain('Print with `runtime/print.ts`');
  }
  expect(lint('runtime/print.ts', line)).not.toContain('Print by');
});

it('the linter refuses prompts that do not go through the file which hides nothing', () => {
  const code = "export const load = () => import('@clack/prompts');\n";
  expect(lint('cli/example.ts', code)).toContain('noRestrictedImports');
  expect(lint('cli/inbox/prompts.ts', code)).not.toContain('noRestrictedImports');
});

it('the linter refuses `withAbortSignal`, which leaves a listener, except in one place', () => {
  const code = 'export const stop = (c: any, s: AbortSignal) => c.withAbortSignal(s, () => 1);\n';
  expect(lint('client/example.ts', code)).toContain('Use `unlessAborted`');
  expect(lint('runtime/temporal/unless-aborted.ts', code)).not.toContain('Use `unlessAborted`');
});

it('the linter refuses `AbortSignal.any`, except in the page', () => {
  const code = 'export const either = (a: AbortSignal, b: AbortSignal) => AbortSignal.any([a, b]);\n';
  expect(lint('client/example.ts', code)).toContain('Use `linkedAbort`');
  expect(lint('client/web/example.ts', code)).not.toContain('Use `linkedAbort`');
});
