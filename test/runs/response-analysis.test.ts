import { type AgentDefinition, defineAgent, defineTool, ENGLISH_TABLES, type Fact } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const input = z.object({ file: z.string() });
let renamed: string[] = [];
const tools = {
  read: defineTool({
    description: 'Read',
    inputSchema: input,
    effect: 'read',
    execute: ({ file }) => `text of ${file}`,
  }),
  rename: defineTool({
    description: 'Rename',
    inputSchema: input,
    execute: ({ file }) => {
      renamed.push(file);
      return 'renamed';
    },
  }),
};
const agent = (name: string, more: Partial<AgentDefinition> = {}) =>
  defineAgent({ name: `analysis.${name}`, tools, modelClass: 'small', ...more } as AgentDefinition);
const small = agent('small');
const off = agent('off', { responseAnalysis: false });
const large = agent('large', { modelClass: undefined as never });
const claims = agent('claims', { responseAnalysis: { claims: true } });
const german = agent('german', { responseAnalysis: { tables: { ...ENGLISH_TABLES, incomplete: ['noch übrig'] } } });
const talk = defineAgent({ name: 'analysis.talk', mode: 'conversation', modelClass: 'small', tools });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [small, off, large, claims, german, talk] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  renamed = [];
});

const rename = (file: number) => call('rename', { file: `${file}.png` });
const read = (file: number) => call('read', { file: `${file}.png` });

/** The outcome of a run, why its model was nudged, and what it read then. Its history replays. */
async function ended(of: { name: string }): Promise<{ data: unknown; nudges: string[]; read: string[] }> {
  const run = await kit.start(of as typeof small, { input: 'Rename seven screenshots' });
  const { data } = await run.result();
  kit.model.assertDone();
  await kit.replay(run);
  const facts: readonly Fact[] = await factsOf(run);
  const nudges = facts.flatMap((fact) => (fact.type === 'answer.nudged' ? [fact.why] : []));
  const messages = await run.transcript();
  const said = messages.filter(({ role, turn }) => role === 'user' && turn > 0);
  return {
    data,
    nudges,
    read: said.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))),
  };
}

test('a model that stops halfway is nudged, and finishes; the partial answer and the nudge are in the transcript', async () => {
  kit.model.script(
    ...[rename(1), rename(2), rename(3), text("I've renamed 3 files. There are 4 remaining...")],
    (turn) => {
      const [partial, nudge] = turn.request.messages.slice(-2);
      expect(partial).toMatchObject({ role: 'assistant', content: "I've renamed 3 files. There are 4 remaining..." });
      expect(nudge?.role).toBe('user');
      return rename(4);
    },
    ...[rename(5), rename(6), rename(7), text('All screenshots have been renamed successfully.')],
  );
  const { data, nudges, read } = await ended(small);
  expect(data).toBe('All screenshots have been renamed successfully.');
  expect(renamed).toHaveLength(7);
  expect(nudges).toEqual(['incomplete']);
  expect(read).toEqual([expect.stringMatching(/^You stopped before the task was finished/)]);
});

test('a model that always deflects is nudged three times, then its answer is taken as it is', async () => {
  kit.model.script(read(1), ...[1, 2, 3, 4].map((n) => text(`Would you like me to rename file ${n}?`)));
  const { data, nudges, read: told } = await ended(small);
  expect(data).toBe('Would you like me to rename file 4?');
  expect(nudges).toEqual(['deflecting', 'deflecting', 'deflecting']);
  expect(told[0]).toMatch(/^Do not ask questions/);
});

test('a model that always says that work is left ends as well', async () => {
  kit.model.script(read(1), ...[1, 2, 3, 4].map((n) => text(`${n} files are remaining.`)));
  expect(await ended(small)).toMatchObject({ data: '4 files are remaining.', nudges: Array(3).fill('incomplete') });
});

test.each([
  ['before the first call', small, [text('Which files?')]],
  ['after three calls', small, [read(1), read(2), read(3), text('Shall I rename them?')]],
  ['when results are presented', small, [read(1), text('Here is the summary: I can see one file.')]],
  ['when it is off', off, [read(1), text('There are 6 remaining.')]],
  ['of a large model', large, [read(1), text('There are 6 remaining. Shall I go on?')]],
  ['in words that the agent replaced', german, [read(1), text('There are 6 remaining.')]],
])('an answer %s is taken as it is', async (_when, of, script) => {
  kit.model.script(...script);
  expect((await ended(of)).nudges).toEqual([]);
});

test('the tables of an agent count', async () => {
  kit.model.script(read(1), text('Sechs sind noch übrig.'), text('Fertig.'));
  expect(await ended(german)).toMatchObject({ data: 'Fertig.', nudges: ['incomplete'] });
});

test('a claim of a change is answered once, if nothing that changes anything was called', async () => {
  kit.model.script(text("I've renamed all files."), rename(1), text("I've renamed it. All done."));
  expect(await ended(claims)).toMatchObject({ data: "I've renamed it. All done.", nudges: ['unchanged'] });
  kit.model.reset();
  kit.model.script(text("I've renamed all files."), text("I've renamed all files."));
  expect(await ended(claims)).toMatchObject({ data: "I've renamed all files.", nudges: ['unchanged'] });
  kit.model.reset();
  kit.model.script(text("I've renamed all files."));
  expect((await ended(small)).nudges).toEqual([]);
});

test('a message that arrives with a deflection takes the place of the nudge, and each exchange counts for itself', async () => {
  const run = await kit.start(talk, { input: null });
  kit.model.script(
    read(1),
    async () => {
      await run.steer('Yes, all of them');
      return text('Shall I rename them?');
    },
    text('All done.'),
  );
  await run.answerTo(await run.send('Rename them'));
  kit.model.script(read(2), ...[1, 2, 3, 4].map((n) => text(`Really ${n}?`)));
  expect((await run.answerTo(await run.send('And now?'))).data).toBe('Really 4?');
  await run.close();
  await run.result();
  await kit.replay(run);
  const facts: readonly Fact[] = await factsOf(run);
  expect(facts.filter(({ type }) => type === 'answer.nudged')).toHaveLength(3);
});
