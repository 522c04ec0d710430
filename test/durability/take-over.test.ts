import { msToTs } from '@temporalio/common/lib/time';
import { defineAgent } from 'holdfast';
import { QUERY, QUERY_AGAIN } from '../../agent/protocol/queries';
import { type AgentTestEnvironment, createAgentTestEnvironment } from '../kit/environment';
import { text } from '../kit/scripted-model';
import { until } from '../until';

const desk = defineAgent({ name: 'test.desk', mode: 'conversation', instructions: 'You answer questions.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk], server: 'dev' });
});
afterAll(() => kit.close());

/** Milliseconds after which a query goes from the queue of a worker that knows the run to any worker. */
const STICKY_TIMEOUT = 3000;

it('refuses a query that brings the task of an update in progress, and goes on after it', async () => {
  const id = 'ahead';
  const chat = kit.conversation(desk, { id, input: null });
  const ask = async (question: string) => {
    kit.model.script(text(`Answer to ${question}`));
    return (await chat.answerTo(await chat.send(question))).data;
  };
  await ask('1');
  await kit.stopWorker();
  const { client } = kit.temporal;
  const { workflowService } = client;
  const about = { namespace: client.options.namespace, identity: 'another worker' };
  const run = client.workflow.getHandle(id);
  const sticky = { name: 'sticky', kind: 2, normalName: kit.taskQueue };
  const poll = (taskQueue: { name: string }) =>
    client.withDeadline(Date.now() + 60_000, () => workflowService.pollWorkflowTaskQueue({ ...about, taskQueue }));
  // Another worker handles a signal, and is asked first from then on.
  await run.signal('unhandled');
  const { taskToken } = await poll({ name: kit.taskQueue });
  await workflowService.respondWorkflowTaskCompleted({
    ...{ ...about, taskToken },
    stickyAttributes: {
      workerTaskQueue: sticky,
      scheduleToStartTimeout: msToTs(STICKY_TIMEOUT),
    },
  });
  const polled = poll(sticky);
  await until(async () => {
    const { pollers } = await workflowService.describeTaskQueue({ ...about, taskQueue: sticky, taskQueueType: 1 });
    return (pollers ?? []).length > 0;
  }, 'the poller');
  const query = run.query(QUERY.state).catch((error: Error) => error.message);
  expect((await polled).query?.queryType).toBe(QUERY.state);
  // It does not answer, and begins the task of an update.
  const begun = poll(sticky);
  const answer = ask('2');
  expect((await begun).messages).toHaveLength(1);
  // The query goes to the other one.
  await kit.startWorker();
  expect(String(await query)).toContain(QUERY_AGAIN);
  await workflowService.respondWorkflowTaskFailed({ ...about, taskToken: (await begun).taskToken });
  expect(await answer).toBe('Answer to 2');
  const { events } = await kit.history({ id });
  const failed = (events ?? []).flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
  expect(failed.map(({ identity }) => identity)).toEqual([about.identity]);
  await kit.replay({ id });
});
