import { defineAgent, defineTool, type Fact, type HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, ScriptedModel } from 'holdfast/testing';
import { z } from 'zod';
import type { ServerModel } from '../../agent/model/config';
import type { RunHandle } from '../../client/runs/run-handle';
import { freePort } from '../../runtime/process/ports';
import { factsOf } from '../facts';
import type { ScriptStep } from '../kit/scripted-model';

export const KEY = 'secret-key-of-the-test';

const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => `order ${id}`,
});

export const clerk = defineAgent({ name: 'faults.clerk', instructions: 'Answer.', tools: { lookup } });
/** Its model server is down. */
export const lonely = defineAgent({ name: 'faults.lonely', instructions: 'Answer.', model: 'nowhere' });

/** A time-skipping environment whose model counts as silent after two seconds. */
export async function faultyEnvironment(
  more: Partial<ServerModel> = {},
): Promise<{ kit: AgentTestEnvironment; model: ScriptedModel }> {
  const nowhere = `http://127.0.0.1:${await freePort('127.0.0.1', [])}/v1`;
  const model = await new ScriptedModel().start();
  const config = { model: 'scripted', apiKey: KEY, idleTimeout: 2000, ...more };
  const kit = await createAgentTestEnvironment({
    agents: [clerk, lonely],
    models: { default: { ...config, baseUrl: model.url }, nowhere: { ...config, baseUrl: nowhere } },
  });
  return { kit, model };
}

export interface Ended {
  run: RunHandle<string>;
  error: HoldfastError;
  facts: Fact[];
}

/** A run that must fail, with what every failed run must have: one line, no key, a transcript, an end in its facts. */
export async function failedRun(
  { kit, model }: { kit: AgentTestEnvironment; model: ScriptedModel },
  steps: readonly ScriptStep[],
  agent: typeof clerk = clerk,
): Promise<Ended> {
  model.reset();
  model.script(...steps);
  const run = await kit.start(agent, { input: 'where is my order?' });
  const error = await run.result().then(
    ({ data }) => Promise.reject(new Error(`Expected the run to fail, it gave ${data}`)),
    (thrown: unknown) => thrown as HoldfastError,
  );
  expect(error.name).toBe('HoldfastError');
  expect(error.message).not.toContain('\n');
  expect(error.message.length).toBeLessThan(700);
  expect(JSON.stringify([error.message, error.data])).not.toContain(KEY);
  model.assertDone();
  expect((await run.transcript())[0]?.parts).toEqual([{ type: 'text', text: 'where is my order?' }]);
  const facts = await factsOf(run);
  const { type, message } = error;
  expect(facts.at(-1)).toMatchObject({ type: 'loop.end', reason: 'failed', error: { type, message } });
  expect(await run.state()).toMatchObject({ status: 'failed', end: { error: { type, message } } });
  await kit.replay(run);
  return { run, error, facts };
}
