import type { HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { triage } from './agents';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage] });
});
afterAll(() => kit.close());

it.each(['support.triagge', 'unknown'])(
  'fails a run of the workflow type `%s`, which no worker knows, as UnknownAgent after a minute of tries',
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
    const attempts = events?.flatMap(({ activityTaskStartedEventAttributes: it }) => (it == null ? [] : [it.attempt]));
    expect(attempts?.length).toBeGreaterThan(9);
    expect(new Set(attempts)).toEqual(new Set([1]));
  },
);

it.each(['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf'])(
  'fails a run of the workflow type `%s`, which every object has, by name',
  async (type) => {
    const { taskQueue } = kit;
    const handle = await kit.temporal.client.workflow.start(type, { workflowId: `of ${type}`, taskQueue, args: [{}] });
    const error = (await kit.client
      .get(handle.workflowId)
      .result()
      .catch((e: unknown) => e)) as HoldfastError;
    expect(error).toMatchObject({ type: 'InvalidAgentName', data: { name: type } });
  },
);

it.each(['unknown', 'toString', 'Support.Triage', ''])('our client refuses the name `%s` at once', async (name) => {
  await expect(kit.client.start(name, { input: {} })).rejects.toMatchObject({ type: 'InvalidAgentName' });
});
