import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, type ChatRequest, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../facts';

const root = mkdtempSync(join(tmpdir(), 'skills-'));
mkdirSync(join(root, 'pdf', 'forms'), { recursive: true });
const write = (description: string) =>
  writeFileSync(
    join(root, 'pdf', 'SKILL.md'),
    `---\nname: pdf\ndescription: ${description}\n---\n# PDF\nRead the form.`,
  );
write('Fills PDFs.');
writeFileSync(join(root, 'pdf', 'forms', 'tax.md'), 'Line 7 is the sum.');

const clerk = defineAgent({ name: 'skills.clerk', instructions: 'BASE', skills: { root } });
const broken = defineAgent({ name: 'skills.broken', instructions: 'BASE', skills: { root: join(root, 'none') } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk, broken] });
});
afterAll(async () => {
  await kit.close();
  rmSync(root, { recursive: true });
});
afterEach(() => kit.model.reset());

test('the system prompt names the skills, and the model reads them and the files beside them', async () => {
  kit.model.script(
    call('read_skill', { skill: 'pdf' }),
    () => {
      // The run keeps what it has pinned.
      write('Something else.');
      return call('read_skill', { skill: 'pdf', path: 'forms/tax.md' });
    },
    call('read_skill', { skill: 'pdf', path: '../../etc/passwd' }),
    text('done'),
  );
  const run = await kit.start(clerk, { input: 'fill it' });
  expect((await run.result()).data).toBe('done');
  const [first, , , last] = kit.model.requests.map(({ body }) => body as ChatRequest);
  expect(first?.messages[0]?.content).toBe(
    'BASE\n\nYou have skills. When a task fits one, read it with read_skill before you start, and follow it.\n- pdf: Fills PDFs.',
  );
  expect(last?.messages[0]).toEqual(first?.messages[0]);
  const results = await factsOf(run, 'tool.result');
  expect(
    results.map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')),
  ).toEqual([
    expect.stringContaining('# PDF\nRead the form.\n[files of this skill, for read_skill with `path`]\nforms/'),
    'Line 7 is the sum.',
  ]);
  const [refused] = await factsOf(run, 'tool.error');
  expect(refused?.error.message).toContain('is outside the folder that you may read');
  await kit.replay(run);
});

test('a run whose skills cannot be read fails at its start, with the reason', async () => {
  const run = await kit.start(broken, { input: 'x' });
  await expect(run.result()).rejects.toMatchObject({
    type: 'InvalidDefinition',
    message: expect.stringContaining('Agent `skills.broken`.skills: There is no folder'),
  });
});
