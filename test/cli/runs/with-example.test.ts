import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printCommandsFor } from '../../../cli/terminal/printed-command';
import { HOLDFAST } from '../../sources';
import { holdfastAt } from '../at-terminal';

let dir: string;
let config: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-example-'));
  config = join(dir, 'temporal.yaml');
  // No server answers there.
  writeFileSync(config, 'agents: agents.ts\ntemporal: {address: "127.0.0.1:1"}\n');
  writeFileSync(
    join(dir, 'agents.ts'),
    `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
     import { z } from ${JSON.stringify(require.resolve('zod'))};
     const inputSchema = z.object({ mail: z.string(), kind: z.enum(['lost', 'late']), urgent: z.boolean().optional() });
     export const triage = defineAgent({ name: 'form.triage', instructions: 'x', inputSchema });
     export const plain = defineAgent({ name: 'form.plain', instructions: 'x' });
     export const desk = defineAgent({ name: 'form.desk', instructions: 'x', mode: 'conversation', inputSchema });`,
  );
});
beforeEach(() => printCommandsFor({}));
afterAll(() => rmSync(dir, { recursive: true }));

const BROKEN = '{mail: hi}';
const FORM = `'{"mail":"…","kind":"lost"}'`;

// A newcomer reads "expected object, received string", and knows neither the fields nor how a shell quotes them.
test.each([
  [['run', 'form.triage', BROKEN], `holdfast run form.triage ${FORM}`],
  [['run', 'form.plain', BROKEN], "holdfast run form.plain '…'"],
  [['chat', 'form.desk', '--input', BROKEN], `holdfast chat form.desk --input ${FORM}`],
])('%j is answered with what to type', async (words, typed) => {
  const { code, err } = await holdfastAt('pipe', ...words, '--config', config);
  expect(code).toBe(2);
  expect(err).toContain('it is not valid JSON');
  expect(err).toMatch(/\. The form is: `[^`]+`\n$/);
  expect(err).toContain(`The form is: \`${typed} --config ${config}\``);
});

// Before, the command waited ten seconds for a server, and then said that there is none.
test.each([
  [['run', 'form.triage', '{"mial": "x"}'], `holdfast run form.triage ${FORM}`],
  [['run', 'form.triage', 'Where is A-17?'], `holdfast run form.triage ${FORM}`],
  [['chat', 'form.desk', '--input', '{"mial": "x"}'], `holdfast chat form.desk --input ${FORM}`],
])('%j is refused without a server', async (words, typed) => {
  const { code, err } = await holdfastAt('pipe', ...words, '--config', config);
  expect(code).toBe(2);
  expect(err).toMatch(/^Input of `form\.\w+` does not fit: /);
  expect(err).toContain(`The form is: \`${typed} --config ${config}\``);
});

test.each([
  [['run', 'form.triage', '{}', '--contract', '9.0.0'], 2, /9\.0\.0/],
  [['chat', 'form.triage'], 1, /^The agent `form\.triage` works on tasks and holds no conversations\./],
  [['chat', 'form.des'], 2, /^No agent of .* is named `form\.des`; did you mean `form\.desk`/],
])('%j is refused without a server, with %i', async (words, exit, said) => {
  const { code, err } = await holdfastAt('pipe', ...words, '--config', config);
  expect([code, err]).toEqual([exit, expect.stringMatching(said)]);
});

test('an agent that is not known here leaves the error as it is', async () => {
  const { code, err } = await holdfastAt('pipe', 'run', 'form.none', BROKEN, '--config', config);
  expect(code).toBe(2);
  expect(err).toMatch(/^Input of `form\.none` does not fit: it is not valid JSON \(.*\)\n$/);
});

test.each([
  [['run', 'form.triage'], 'input', /It follows the name of the agent: JSON, a plain text in quotes, @file, or -/],
  [['run'], 'agent', /`holdfast doctor` lists the agents\./],
  [['tail'], 'run', /`holdfast runs` lists the runs\./],
  [['init'], 'folder', /For example: `holdfast init my-agent`\./],
])('%j is answered with where to find what is missing', async (words, missing, hint) => {
  const { code, err } = await holdfastAt('pipe', ...words);
  expect(code).toBe(2);
  expect(err).toContain(`error: missing required argument '${missing}'. `);
  expect(err).toMatch(hint);
});
