import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { Gate } from '../../activities/model/leases/gate';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { SILENT_LOG } from '../../runtime/log';
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
  const client = () => kit.temporal.client;
  /** The gate of another worker. */
  function newGate(alias: string, limits: ModelLimits, name = alias) {
    const warned: string[] = [];
    const warn = (about: object, line?: string) => void warned.push(`${line} ${JSON.stringify(about)}`);
    const gate = new Gate(alias, limits, { ...SILENT_LOG, warn }, name);
    gates.push(gate);
    const enter = ({ interactive = false, waited = 0 } = {}) => {
      const want = { interactive, tokens: 0, waited, term: 600_000 };
      return gate.enter(client(), want, new AbortController().signal);
    };
    return { warned, enter };
  }
  /** Of the server. */
  const address = () => kit.temporal.address;
  return { client, address, gates, newGate };
}
