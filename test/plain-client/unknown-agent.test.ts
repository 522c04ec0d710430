import type { HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { triage } from './agents';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage] });
});
afterAll(() => kit.close());

it.each(['support.triagge', 'nobody'])(
  'fails a run of the workflow type `%s`, which no worker knows, as UnknownAgent after its retries',
  async (type) => {
    const workflowId = `of ${type}`;
    const { taskQueue } = kit;
    await kit.temporal.client.workflow.start(type, { workflowId, taskQueue, args: [{ input: { mail: 'x' } }] });
    const run = kit.client.get(workflowId);
    const error = (await run.result().catch((e: unknown) => e)) as HoldfastError;
    expect(error).toMatchObject({ type: 'UnknownAgent', data: { agent: type, known: ['support.triage'] } });
    expect(error.message).toBe(
      `No worker on this task queue knows the agent \`${type}\`; it knows \`support.triage\`. Check the name, or start a worker that has it.`,
    );
    expect(await run.state()).toMatchObject({ status: 'failed', turn: 0, end: { error: { type: 'UnknownAgent' } } });
    const { events } = await kit.history(run);
    const started = events?.find(({ activityTaskStartedEventAttributes: it }) => it != null);
    expect(started?.activityTaskStartedEventAttributes?.attempt).toBe(9);
  },
);

it.each(['nobody', 'toString', 'Support.Triage', ''])('our client refuses the name `%s` at once', async (name) => {
  await expect(kit.client.start(name, { input: {} })).rejects.toMatchObject({ type: 'InvalidAgentName' });
});
