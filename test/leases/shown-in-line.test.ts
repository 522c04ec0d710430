import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { LEASES } from '../../agent/protocol/entities/leases';
import { runLines, viewRun } from '../../cli/show/run';
import { diagnose } from '../../client/silence/diagnose';
import { newGate } from '../gate';
import { ScriptedModel } from '../kit/scripted-model';
import { until } from '../until';

const caller = defineAgent({ name: 'shown.caller' });

let model: ScriptedModel;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  model = await new ScriptedModel().start();
  const models = { default: { baseUrl: model.url, model: 'm', limits: { concurrent: 1 } } };
  kit = await createAgentTestEnvironment({ server: 'dev', agents: [caller], models });
});
afterAll(async () => {
  await kit.close();
  await model.close();
});

// Without it, `run` and `chat` are silent for as long as the limits leave no room, which may be minutes.
test('a run whose model call waits in line says so, until the call is made', async () => {
  const { open, opened } = newGate();
  model.script(async () => {
    await opened;
    return text('first');
  }, text('second'));
  const first = await kit.start(caller, { input: 'go' });
  await until(() => model.requests.length === 1, 'the call that takes all of the limit');
  const second = await kit.start(caller, { input: 'go' });
  const told = () =>
    diagnose(kit.client.temporal, second.id, {
      namespace: kit.temporal.client.options.namespace,
      taskQueue: kit.taskQueue,
    });
  await until(async () => (await told()) !== undefined, 'the line');
  const line = /in line for `default` since \d\d:\d\d:\d\d: its `limits` for all workers leave no room/;
  expect(await told()).toMatch(new RegExp(`^asking the model: ${line.source}$`));
  const lines = runLines(await viewRun(kit.client.temporal, second.id, { workerTimeout: 10_000 }), false);
  expect(lines.find((one) => one.startsWith('in flight'))).toMatch(line);
  open();
  expect([(await first.result()).data, (await second.result()).data]).toEqual(['first', 'second']);
});

test('the workflow of the limits is shown with what is in use, and not as a run that no worker answers for', async () => {
  model.script(text('done'));
  await (await kit.start(caller, { input: 'go' })).result();
  const view = await viewRun(kit.client.temporal, LEASES.idOf('default'), { workerTimeout: 10_000 });
  expect(view.problem).toBeUndefined();
  const lines = runLines(view, false);
  expect(lines).toContain('The model `default` and its limits for all workers.');
  expect(lines).toContain('Now: 0 of 1 calls in progress, 0 in line.');
});
