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
    const run = await kit.client.start(type, { id: `of ${type}`, input: { mail: 'x' } });
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
