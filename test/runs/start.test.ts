import { type Agent, defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { until } from '../until';

const KB = 1024;
const PINS = 'holdfast.describeAgent';
const BUILDS = 'holdfast.buildContext';

const plain = defineAgent({
  name: 'start.plain',
  instructions: 'Be brief.',
  inputSchema: z.object({ mail: z.string().max(2 * KB * KB), tone: z.string().default('calm') }),
  prompt: {
    system: {
      agentLoop: null,
      capabilities: null,
      chainOfThought: null,
      rules: 'No slang.',
      more: { text: 'No jokes.' },
    },
  },
});
const builder = defineAgent({ name: 'start.builder', contextBuilder: () => ({ system: 'Be brief.' }) });
const section = defineAgent({ name: 'start.section', prompt: { system: { today: () => 'Monday' } } });
const titled = defineAgent({ name: 'start.titled', prompt: { system: { today: { text: () => 'Monday' } } } });
const wide = defineAgent({
  name: 'start.wide',
  instructions: 'x'.repeat(900 * KB),
  tools: {
    look: defineTool({
      description: 'y'.repeat(900 * KB),
      effect: 'read',
      inputSchema: z.object({}),
      execute: () => 'seen',
    }),
  },
});
const talk = defineAgent({ name: 'start.talk', mode: 'conversation', instructions: 'Chat.' });

/** The checks of an input that throw, by number: the first one is the client's. */
const THROW = new Set([2, 3]);
let checks = 0;
const moody = defineAgent({
  name: 'start.moody',
  inputSchema: z.string().refine(() => {
    if (THROW.has(++checks)) throw new Error('no database');
    return true;
  }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [plain, builder, section, titled, wide, talk, moody] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const runIdOf = async (id: string) => (await kit.client.temporal.workflow.getHandle(id).describe()).runId;

async function activitiesOf(id: string): Promise<string[]> {
  const { events } = await kit.client.temporal.workflow.getHandle(id).fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}

/** Which activities a run of the agent starts with, before it calls the model. */
async function startOf(agent: Agent, id: string, input: unknown): Promise<string[]> {
  kit.model.script(text('fine'));
  const run = await kit.start(agent, { id, input: input as never });
  await run.result();
  await kit.replay(run);
  const names = await activitiesOf(id);
  return names.slice(0, names.indexOf('holdfast.callModel'));
}

it('starts with one activity if no function of the agent builds its context', async () => {
  expect(await startOf(plain, 'plain', { mail: 'hello' })).toEqual([PINS]);
  expect(kit.model.requests[0]?.body.messages).toEqual([
    { role: 'system', content: 'Be brief.\n\nNo slang.\n\nNo jokes.' },
    { role: 'user', content: '{"mail":"hello","tone":"calm"}' },
  ]);
});

it.each([builder, section, titled])('calls the functions of $name in an activity of their own', async (agent) => {
  expect(await startOf(agent, agent.name, 'go')).toEqual([PINS, BUILDS]);
});

it('does not write a large input into the history twice where that may save nothing', async () => {
  const mail = 'x'.repeat(200 * KB);
  expect(await startOf(plain, 'large', { mail })).toEqual([PINS, BUILDS]);
  expect(JSON.stringify(kit.model.requests[0]?.body.messages)).toContain(mail);
});

it('builds the context by itself if it does not fit into one payload with the tools', async () => {
  expect(await startOf(wide, 'wide', 'go')).toEqual([PINS, BUILDS]);
});

it('leaves an input that does not fit its schema to the activity that reports it', async () => {
  const run = await kit.client.temporal.workflow.start(plain.name, {
    workflowId: 'bad',
    taskQueue: kit.taskQueue,
    args: [{ input: { mail: 3 } }],
  });
  await expect(run.result()).rejects.toMatchObject({
    cause: { type: 'InvalidInput', message: expect.stringContaining('mail') },
  });
  expect(await activitiesOf('bad')).toEqual([PINS, BUILDS]);
});

it('retries a schema that throws as before', async () => {
  expect(await startOf(moody, 'moody', 'go')).toEqual([PINS, BUILDS]);
});

it('finds the context again when it goes on in a new history', async () => {
  kit.model.script(text('one'), text('two'));
  const run = kit.conversation(talk, { id: 'talk', input: null });
  await run.answerTo(await run.send('first'));
  const first = await runIdOf(run.id);
  await run.continueAsNew();
  await until(async () => (await runIdOf(run.id)) !== first, 'the new history');
  // A worker that has pinned nothing yet has to be told what the run before had pinned.
  await run.answerTo(await run.send('second'));
  expect(kit.model.requests[1]?.body.messages[0]).toEqual({ role: 'system', content: 'Chat.' });
  expect(await activitiesOf('talk')).toEqual(['holdfast.readAgain', 'holdfast.callModel']);
});
