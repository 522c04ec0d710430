import { shortStack } from '../../../runtime/payloads/failure-converter';
import { cpuTime } from '../../measure/cpu-time';

const cwd = process.cwd();

test.each([
  ['a file of the project', `    at pick (${cwd}/agents/tools.ts:3:7)`, '    at pick (agents/tools.ts:3:7)'],
  ['a module', `    at file://${cwd}/agents/tools.mjs:3:7`, '    at agents/tools.mjs:3:7'],
  [
    'a package',
    '    at Object.x [as y] (/opt/app/node_modules/zod/lib/a.js:1:22)',
    '    at Object.x [as y] (node_modules/zod/lib/a.js:1:22)',
  ],
  [
    'a package of a package',
    '    at x (/a/node_modules/b/node_modules/c/d.js:1:2)',
    '    at x (node_modules/c/d.js:1:2)',
  ],
  ['a file elsewhere', '    at async /home/mary/secret plans/x.js:10:2', '    at async x.js:10:2'],
  ['folders with brackets', '    at async f (/home/mary (old)/x.js:10:2)', '    at async f (x.js:10:2)'],
  ['another system', '    at f (C:\\Users\\mary\\x.js:10:2)', '    at f (x.js:10:2)'],
  [
    'generated code',
    `    at eval (eval at f (${cwd}/a/b.js:1:2), <anonymous>:1:1)`,
    '    at eval (eval at f (a/b.js:1:2), <anonymous>:1:1)',
  ],
  ['Node itself', '    at AsyncLocalStorage.run (node:async_hooks:335:14)', undefined],
  ['no place', '    at async Promise.all (index 0)', undefined],
  ['a place in the bundle', '    at act (workflows/calls/act.ts:60:3)', undefined],
  ['a text', 'Error: cannot read /etc/passwd:1:2', undefined],
])('the stack of an error in %s', (_, frame, expected = frame) => {
  expect(shortStack(`Error: x\n${frame}\n    at last (node:fs:1:1)`)).toBe(
    `Error: x\n${expected}\n    at last (node:fs:1:1)`,
  );
});

test('frames of any size take no time and reveal nothing', async () => {
  const long = '    at (/'.padEnd(1_000_000, ' (/');
  const took = await cpuTime(() => expect(shortStack(`Error: x\n${long}`)).toBe('Error: x\n    at …'), 500);
  expect(took).toBeLessThan(500);
});
