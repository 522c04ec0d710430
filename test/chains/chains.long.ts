import { Client } from '@temporalio/client';
import { defineAgent, defineTool, eventService, type ServiceEvent } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { answerTo, plain } from '../services/stage';
import { until } from '../until';

const sent: ServiceEvent[] = [];
const keys: string[] = [];
const agent = defineAgent({
  name: 'test.chains',
  tools: {
    pay: defineTool({
      description: 'pays',
      inputSchema: z.object({ amount: z.number() }),
      effect: 'idempotent',
      execute: (_, { idempotencyKey }) => void keys.push(idempotencyKey ?? ''),
    }),
  },
  services: { ask: eventService(plain, '1.0.0', { outlet: 'out' }) },
});

let kit: AgentTestEnvironment;
let temporal: Client;
beforeAll(async () => {
  const outlets = { out: (event: ServiceEvent) => void sent.push(event) };
  kit = await createAgentTestEnvironment({ agents: [agent], outlets, server: 'dev' });
  const { connection, namespace } = kit.temporal;
  temporal = new Client({ connection, namespace: namespace ?? 'default' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  sent.length = 0;
  keys.length = 0;
});

const both = (amount = 5) => calls(['pay', { amount }], ['ask', { sku: 'a' }]);
const chainOf = (key = '') => key.slice(0, key.indexOf('/'));
const start = (id: string, more: object) =>
  temporal.workflow.start(agent.name, {
    workflowId: id,
    taskQueue: kit.taskQueue,
    args: [{ input: 'go' }],
    ...more,
  });
const ignored = async (id: string) => (await kit.client.get(id).state()).ignored;

/** Sends an answer to an earlier call of the same id, which the current run must not take. */
async function refusesAnswerTo(id: string, earlier: ServiceEvent): Promise<void> {
  const toolUseId = earlier.id.slice(earlier.id.lastIndexOf('/') + 1);
  await until(async () => {
    const run = temporal.workflow.getHandle(id);
    await run.signal('serviceAnswer', answerTo(earlier, { data: { left: 99 } }));
    await run.signal('toolResult', { toolUseId, idempotencyKey: earlier.id, data: { left: 99 } });
    return ((await ignored(id)).OutdatedAnswer ?? 0) >= 2;
  }, 'the answer to be ignored');
}

test('each run of a schedule has its own keys, and an answer to the run before is not taken', async () => {
  kit.model.script(both(), text('done'), both(), text('done'));
  const run = await start('chains-cron', { cronSchedule: '@every 1s' });
  try {
    await until(() => sent.length === 1, 'the first event');
    await kit.client.completeService(answerTo(sent[0] as ServiceEvent));
    await until(() => sent.length === 2 && keys.length === 2, 'the second event');
    const [first, second] = sent as [ServiceEvent, ServiceEvent];
    expect(new Set([...sent.map(({ id }) => id), ...keys]).size).toBe(4);
    expect(chainOf(keys[1])).toBe(chainOf(second.id));
    expect(chainOf(first.id)).not.toBe(chainOf(second.id));
    await refusesAnswerTo(run.workflowId, first);
    expect((await kit.client.get(run.workflowId).waiting()).services).toMatchObject([{ ref: second.id }]);
  } finally {
    await temporal.workflow.getHandle('chains-cron').terminate();
  }
});

test('each attempt of a run with a retry policy has its own keys', async () => {
  kit.model.script(...Array.from({ length: 20 }, () => both()));
  const retry = { initialInterval: '100ms', maximumAttempts: 20 };
  const run = await start('chains-retry', { retry, workflowRunTimeout: '10s' });
  try {
    await until(() => sent.length >= 2, 'the event of a second attempt');
    const [first] = sent as [ServiceEvent];
    expect(new Set(sent.map(({ id }) => chainOf(id))).size).toBe(sent.length);
    expect(new Set(keys).size).toBe(keys.length);
    await refusesAnswerTo(run.workflowId, first);
  } finally {
    await temporal.workflow.getHandle('chains-retry').terminate();
  }
});

test('after a reset a call with the same arguments keeps its key; with other arguments it gets another', async () => {
  kit.model.script(both(5), text('done'), text('once more'), both(6), text('other'));
  await start('chains-reset', {});
  await until(() => sent.length === 1 && keys.length === 1, 'the event');
  const answer = answerTo(sent[0] as ServiceEvent);
  await kit.client.completeService(answer);
  await temporal.workflow.result('chains-reset');

  await reset('chains-reset', 'pay');
  await until(() => sent.length === 2 && keys.length === 2, 'the event after the reset');
  expect(keys[1]).toBe(keys[0]);
  expect(sent[1]?.id).toBe(sent[0]?.id);
  expect(chainOf(keys[0])).toBe((await kit.client.get('chains-reset').state()).chainId);
  await kit.client.completeService(answer);
  expect(await temporal.workflow.result('chains-reset')).toMatchObject({ data: 'once more' });

  await reset('chains-reset', 'holdfast.callModel');
  await until(() => sent.length === 3 && keys.length === 3, 'the event of the other call');
  expect(sent[2]?.id).toBe(sent[0]?.id);
  expect(keys[2]).not.toBe(keys[0]);
  expect(chainOf(keys[2])).toBe(chainOf(keys[0]));
  const old = { toolUseId: 't1.1', idempotencyKey: keys[0], data: null };
  await temporal.workflow.getHandle('chains-reset').signal('toolResult', old);
  expect(await ignored('chains-reset')).toEqual({ OutdatedAnswer: 1 });
  await kit.client.completeService(answer);
  expect(await temporal.workflow.result('chains-reset')).toMatchObject({ data: 'other' });
});

/** Resets to the workflow task that first scheduled an activity of this type. Later messages are not sent again. */
async function reset(workflowId: string, activity: string): Promise<void> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = events?.find(
    ({ activityTaskScheduledEventAttributes: attributes }) => attributes?.activityType?.name === activity,
  );
  await temporal.workflowService.resetWorkflowExecution({
    namespace: temporal.options.namespace,
    workflowExecution: { workflowId },
    reason: 'test',
    requestId: `${workflowId}-${activity}`,
    workflowTaskFinishEventId: scheduled?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId as never,
    resetReapplyType: 2,
  });
}
