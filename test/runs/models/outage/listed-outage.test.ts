import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { newGate } from '../../../gate';
import { until } from '../../../until';

let gate = newGate();
const work = defineTool({
  description: 'Works.',
  effect: 'read',
  inputSchema: z.object({}),
  async execute() {
    await gate.opened;
    return 'done';
  },
});
const task = defineAgent({ name: 'listed.task', tools: { work } });
const chat = defineAgent({ name: 'listed.chat', mode: 'conversation' });
/** The server asks for more than the minute of the activity: the run itself waits at once. */
const LATER = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [task, chat], server: 'dev' });
});
beforeEach(() => {
  gate = newGate();
});
afterEach(() => kit.model.reset());
afterAll(() => kit.close());

async function isListed(id: string, expected: { status: string; waits?: string }): Promise<void> {
  await until(
    async () => {
      const found = (await kit.client.sessions()).find((session) => session.id === id);
      return found?.status === expected.status && found.waits === expected.waits;
    },
    `lists to show ${JSON.stringify(expected)}`,
    15_000,
  );
}

test('lists show that a run waits for its model, until the model has answered', async () => {
  kit.model.script(LATER, call('work', {}), text('Back.'));
  const run = await kit.start(task, { input: 'go' });
  await isListed(run.id, { status: 'waiting', waits: 'model' });
  await run.retry();
  await isListed(run.id, { status: 'running' });
  gate.open();
  expect((await run.result()).data).toBe('Back.');
  await isListed(run.id, { status: 'completed' });
  await kit.replay(run);
});

test('a conversation waits for a message again when it was interrupted in an outage', async () => {
  kit.model.script(LATER);
  const run = kit.conversation(chat, { id: 'listed-chat' });
  await run.send('hello');
  await isListed(run.id, { status: 'waiting', waits: 'model' });
  await run.interrupt();
  await isListed(run.id, { status: 'waiting', waits: 'message' });
  await run.close();
  await run.result();
  await isListed(run.id, { status: 'completed' });
  await kit.replay(run);
});

test('a run that is cancelled in an outage waits for nothing', async () => {
  kit.model.script(LATER);
  const run = await kit.start(task, { input: 'go' });
  await isListed(run.id, { status: 'waiting', waits: 'model' });
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  await isListed(run.id, { status: 'cancelled' });
  await kit.replay(run);
});
