import { randomUUID } from 'node:crypto';
import { defineAgent } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../facts';

const chat = defineAgent({ name: 'early.chat', mode: 'conversation', instructions: 'Talk.' });
const task = defineAgent({ name: 'early.task', instructions: 'Work.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat, task] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** A run that finds this signal at its start, before it knows its agent. */
async function startedWith(agent: string, signal: string, given: object): Promise<ConversationHandle<unknown>> {
  const workflowId = randomUUID();
  await kit.temporal.client.workflow.signalWithStart(agent, {
    workflowId,
    taskQueue: kit.taskQueue,
    args: [{ input: 'go' }],
    signal,
    signalArgs: [given],
  });
  return kit.client.get<unknown, 'conversation'>(workflowId);
}

test('a message that arrives before the agent is pinned is in the first call of a task', async () => {
  kit.model.script(text('done'));
  const run = await startedWith('early.task', 'send', { text: 'and mind the tax' });
  expect((await run.result()).data).toBe('done');
  expect(kit.model.requests).toHaveLength(1);
  expect(kit.model.requests[0]?.body.messages).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'go' },
    { role: 'user', content: 'and mind the tax' },
  ]);
  await kit.replay(run);
});

test('an interrupt that arrives before the agent is pinned stops the first exchange', async () => {
  kit.model.script(text('again'));
  const run = await startedWith('early.chat', 'interrupt', { by: 'ann' });
  expect(await run.answerTo({ exchange: 1 })).toEqual({ exchange: 1, reason: 'interrupted' });
  expect(kit.model.requests).toHaveLength(0);
  expect(await run.state()).toMatchObject({ turn: 0, toolInteractions: { current: 0 } });
  expect(await run.answerTo(await run.send('go on'))).toMatchObject({ data: 'again' });
  await run.close();
  await run.result();
  expect(await factsOf(run, 'exchange.end')).toMatchObject([
    { reason: 'interrupted', by: 'ann' },
    { reason: 'completed' },
  ]);
  await kit.replay(run);
});

test('a command to a run that cannot begin is refused with the reason that the run ends with', async () => {
  const run = kit.client.get<unknown, 'conversation'>(randomUUID());
  await kit.temporal.client.workflow.signalWithStart('early.chat', {
    workflowId: run.id,
    taskQueue: kit.taskQueue,
    args: [{ metadata: 5 }],
    signal: 'send',
    signalArgs: [{ text: 'hello' }],
  });
  await expect(run.result()).rejects.toMatchObject({ type: 'InvalidInput' });
  expect((await run.state()).ignored).toEqual({ InvalidInput: 1 });
});
