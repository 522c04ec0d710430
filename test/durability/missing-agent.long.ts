import { type Agent, defineAgent } from 'holdfast';
import { createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { closeAfterTest } from '../close-after-test';
import { factsOf } from '../facts';
import type { ScriptStep } from '../kit/scripted-model';
import { expectWhole } from '../services/stage';
import { until } from '../until';

const clerk = defineAgent({ name: 'missing.clerk' });
const other = defineAgent({ name: 'missing.other' });
const thrifty = defineAgent({ name: 'missing.thrifty', modelSettings: { maxTokens: 100 }, budget: { tokens: 1500 } });

/** Starts a run, and moves it to a worker without its agent, and back, after the first text of its model. */
async function moved(agent: Agent, ...steps: ScriptStep[]) {
  const agents: Agent[] = [other, agent];
  const kit = closeAfterTest(await createAgentTestEnvironment({ agents, server: 'dev', maxCachedWorkflows: 0 }));
  kit.model.script(...steps);
  const run = await kit.start(agent, { input: null });
  for await (const event of run.events()) if (event.type === 'stream.text') break;
  await kit.stopWorker();
  agents.pop();
  await kit.startWorker();
  await until(async () => {
    const { events } = await kit.history(run);
    return (events ?? []).some(({ activityTaskFailedEventAttributes: failed }) => failed != null);
  }, 'the attempt on the other worker');
  await kit.stopWorker();
  agents.push(agent);
  await kit.startWorker();
  return { kit, run };
}

/** An answer of which some tokens arrive, a token for four characters. */
const begun = (tokens: number) =>
  fault({ kind: 'stall', after: 4 * tokens }, { text: 'x'.repeat(8 * tokens), chunkSize: 4 * tokens });

test('an attempt at a model call is paid for, although the next one reached a worker without the agent', async () => {
  const { kit, run } = await moved(clerk, begun(10), text('done', { usage: { prompt: 7, completion: 3 } }));
  const { data, usage } = await run.result();
  expect(data).toBe('done');
  expect((await factsOf(run, 'usage')).map((fact) => fact.usage.completion)).toEqual([10, 3]);
  expect(usage).toEqual({ prompt: expect.any(Number), completion: 13, estimated: true });
  expect(await run.state()).toMatchObject({ turn: 1 });
  await expectWhole(kit, run);
});

test('what it has cost is no longer in the budget of the next one', async () => {
  const { kit, run } = await moved(thrifty, begun(1400), text('done'));
  await expect(run.result()).rejects.toMatchObject({ type: 'BudgetExhausted' });
  expect(kit.model.requests).toHaveLength(1);
  await expectWhole(kit, run);
});
