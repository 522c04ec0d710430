import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Fact } from '../../agent/protocol/facts/fact';
import { QUERY_AGAIN } from '../../agent/protocol/queries';
import type { StreamDelta } from '../../agent/protocol/stream';
import { AgentClient } from '../../client/agent-client';
import type { RunHandle } from '../../client/runs/run-handle';
import { createLocalBus } from '../../runtime/bus/bus';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';
import { Stage } from './stage/stage';
import type { WorkerChild } from './stage/worker-child';

let stage: Stage;
let worker: WorkerChild;
beforeAll(async () => {
  stage = await Stage.open();
  worker = await stage.worker();
});
afterAll(() => stage.close());

const look = { item: 'a', mode: 'wait' };

/** Continues to read in the background. */
function reading(
  run: { facts: RunHandle['events'] },
  after = 0,
): { facts: (Fact | StreamDelta)[]; end: Promise<void> } {
  const facts: (Fact | StreamDelta)[] = [];
  const read = async () => {
    for await (const fact of run.facts({ after })) facts.push(fact);
  };
  return { facts, end: read() };
}

it('gives a reader every fact once and in order when the worker dies, and a late reader the rest', async () => {
  const run = await stage.start('read', call('put', look), call('look', { item: 'b' }), text('done'));
  const whole = reading(run);
  await stage.started('read', 'put');
  await until(() => whole.facts.at(-1)?.type === 'tool.call', 'the fact of the call');
  const known = whole.facts.length;
  await worker.kill();
  // Starts while no worker can answer, and knows the facts it had seen before.
  const withBus = new AgentClient(stage.client.temporal, { bus: createLocalBus() }).get('read');
  const rest = reading({ facts: (options) => withBus.events(options) }, known);
  stage.release('read');
  worker = await stage.worker();
  expect((await run.result()).data).toBe('done');
  await Promise.all([whole.end, rest.end]);
  expect(whole.facts).toEqual(await stage.checked(run));
  expect(rest.facts).toEqual(whole.facts.slice(known));
  const late = reading(run, 4);
  await late.end;
  expect(late.facts).toEqual(whole.facts.slice(4));
});

it('gives a reader at once the facts between its query and its wait for changes', async () => {
  const run = await stage.start('gap', call('look', look), call('pay', { item: 'a', mode: 'stubborn' }), text('done'));
  await stage.started('gap', 'look');
  // The run continues right after the first answer to the reader, and then has no new facts for long.
  const gone = slowQueries(stage.client.temporal, async () => {
    if (stage.lines('gap', 'start').some(({ tool }) => tool === 'pay')) return;
    stage.release('gap.t1.1');
    await stage.started('gap', 'pay');
  });
  const whole = reading(new AgentClient(gone).get('gap'));
  await until(() => whole.facts.some((f) => f.type === 'tool.call' && f.name === 'pay'), 'the second call');
  stage.release('gap');
  await whole.end;
  expect(whole.facts).toEqual(await stage.checked(run));
});

it('has none of its queries refused, and a call has none, when another worker takes the run over', async () => {
  const look = (item: string) => call('look', { item });
  const run = await stage.start('taken', call('look', { item: 'a', mode: 'wait' }), look('b'), look('c'), text('done'));
  const whole = reading(run);
  await stage.started('taken', 'look');
  worker.terminate();
  await worker.end();
  worker = await stage.worker();
  stage.release('taken');
  await run.result();
  await whole.end;
  expect(worker.output).not.toContain(QUERY_AGAIN);
});

describe('while no worker is there', () => {
  it('says so to a query once its workerTimeout is over, and answers when a worker starts in time', async () => {
    const run = await stage.start('asked', call('look', look), text('done'));
    await stage.started('asked', 'look');
    await worker.kill();
    const impatient = new AgentClient(stage.client.temporal, { workerTimeout: 1500 });
    const asked = Date.now();
    await expect(impatient.get('asked').state()).rejects.toMatchObject({
      name: 'HoldfastError',
      type: 'NoWorker',
      data: { taskQueue: 'holdfast' },
    });
    expect(Date.now() - asked).toBeLessThan(5000);
    const state = run.state();
    const facts = run.facts().next();
    worker = await stage.worker();
    expect(await state).toMatchObject({ status: 'running', turn: 1, batch: [{ toolUseId: 't1.1', name: 'look' }] });
    expect((await facts).value).toMatchObject({ seq: 1, type: 'loop.start' });
    stage.release('asked');
    await run.result();
  });
});

/** A client whose answers to queries reach the caller only after `then`. */
function slowQueries(client: Client, then: () => Promise<void>): Client {
  const getHandle = (id: string): WorkflowHandle => {
    const handle = client.workflow.getHandle(id);
    const query = async (...args: Parameters<WorkflowHandle['query']>) => {
      const answer = await handle.query(...args);
      await then();
      return answer;
    };
    return { ...handle, query } as WorkflowHandle;
  };
  return Object.create(client, {
    workflow: { value: Object.create(client.workflow, { getHandle: { value: getHandle } }) },
  });
}
