import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault } from 'holdfast/testing';
import { FAILURES } from '../../activities/model/circuit/circuit';
import { ScriptedModel } from '../kit/scripted-model';
import { until } from '../until';
import { usageOf } from './usage-of';

const task = defineAgent({ name: 'circuit.task' });
const late = defineAgent({ name: 'circuit.late' });

let model: ScriptedModel;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  model = await new ScriptedModel().start();
  const models = { default: { baseUrl: model.url, model: 'm', limits: { requestsPerMinute: 600 } } };
  kit = await createAgentTestEnvironment({ server: 'dev', agents: [task, late], models });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});

const leased = async () => {
  const { slots } = await usageOf(kit.temporal.client.workflow, 'default');
  return slots.reduce((sum, { requests }) => sum + requests, 0);
};

/** Whether the circuit has refused the model call of a run. */
async function isRefused({ id }: { id: string }): Promise<boolean> {
  const { raw } = await kit.temporal.client.workflow.getHandle(id).describe();
  return raw.pendingActivities?.[0]?.lastFailure?.message?.includes('circuit of this worker') === true;
}

// Otherwise the limits of the minute are used up when the server is back.
test('calls that an open circuit refuses take no lease', async () => {
  model.script(...Array.from({ length: 20 }, () => fault({ kind: 'status', status: 503 })));
  const first = await Promise.all(Array.from({ length: FAILURES }, () => kit.start(task, { input: 'go' })));
  await until(async () => (await Promise.all(first.map(isRefused))).some(Boolean), 'the circuit to open');
  const before = { leased: await leased(), made: model.requests.length };
  const others = await Promise.all(Array.from({ length: 20 }, () => kit.start(late, { input: 'go' })));
  await until(async () => (await Promise.all(others.map(isRefused))).every(Boolean), 'all other calls to be refused');
  // One that the circuit lets through may be among them.
  expect((await leased()) - before.leased).toBe(model.requests.length - before.made);
  await Promise.all([...first, ...others].map((run) => run.cancel()));
});
