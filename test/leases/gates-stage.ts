import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { Gate } from '../../activities/model/leases/gate';
import { ScriptedModel } from '../kit/scripted-model';

/** A server with a worker that serves the workflows of limits. The gates that are added stand for other workers. */
export function stageOfGates(serverSettings: string[] = []) {
  const task = defineAgent({ name: 'gates.task' });
  const model = new ScriptedModel();
  const gates: Gate[] = [];
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    await model.start();
    const models = { default: { baseUrl: model.url, model: 'm', limits: { concurrent: 1 } } };
    kit = await createAgentTestEnvironment({ agents: [task], server: 'dev', serverSettings, models });
    model.script(text('done'));
    // A run starts the worker, which serves the workflows of limits.
    await (await kit.start(task, { input: 'go' })).result();
  });
  afterAll(async () => {
    await Promise.all(gates.map((gate) => gate.close()));
    await kit.close();
    await model.close();
  });
  return { client: () => kit.temporal.client, gates };
}
