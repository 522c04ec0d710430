import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../agent/values/json';
import type { RunHandle } from '../../../client/runs/run-handle';
import { call, calls, text } from '../../kit/scripted-model';
import { Stage } from '../stage/stage';
import type { WorkerChild } from '../stage/worker-child';

const hold = (tool: string, mode: string) => call(tool, { item: 'a', mode });

jest.setTimeout(120_000);

/** SIGTERM to workers that are blocked or busy. */
describe('a busy worker that gets SIGTERM', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  async function endsInOrder(worker: WorkerChild): Promise<void> {
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
  }

  /** The next worker completes the run. */
  async function goesOn(run: RunHandle<unknown>, data: string): Promise<void> {
    const next = await stage.worker();
    expect((await run.result()).data).toBe(data);
    await next.kill();
  }

  it('ends in order while a tool blocks it, whose result counts', async () => {
    const worker = await stage.worker();
    const run = await stage.start('blocked', hold('pay', 'block'), text('paid'));
    await stage.started('blocked', 'pay');
    worker.terminate();
    await setTimeout(1000);
    stage.release('blocked');
    await endsInOrder(worker);
    await goesOn(run, 'paid');
    expect(stage.model.told('blocked', 2)).toEqual(['pay a: done']);
  });

  it('ends in order if a tool blocks it beyond the grace', async () => {
    const worker = await stage.worker();
    const run = await stage.start('late', hold('pay', 'block-at-end'), text('paid'));
    await stage.started('late', 'pay');
    worker.terminate();
    // After the grace of 300 ms, and the 5 s in which stopped calls may still report.
    await setTimeout(8000);
    stage.release('late');
    await endsInOrder(worker);
    expect(worker.output).not.toContain('still in use');
    await goesOn(run, 'paid');
    expect(stage.lines('late', 'start')).toHaveLength(1);
  });

  it('ends with dozens of calls in flight that ignore their signal', async () => {
    const worker = await stage.worker();
    const many = Array.from(
      { length: 20 },
      (_, n) => ['put', { item: `${n}`, mode: 'stubborn' }] as [string, JsonObject],
    );
    const run = await stage.start('many', calls(...many), text('all put'));
    await stage.started('many', 'put', many.length);
    worker.terminate();
    await endsInOrder(worker);
    stage.release('many');
    await goesOn(run, 'all put');
  });

  it('ends although a builder ignores its signal', async () => {
    const worker = await stage.worker();
    const run = await stage.startBuilder('building', 'stubborn', text('built'));
    await stage.started('building', 'contextBuilder');
    worker.terminate();
    await endsInOrder(worker);
    stage.release('building');
    await goesOn(run, 'built');
  });

  it('ends although the server is gone', async () => {
    const worker = await stage.worker();
    await stage.start('left', hold('put', 'stubborn'), text('put'));
    await stage.started('left', 'put');
    await stage.server.stop();
    worker.terminate();
    await endsInOrder(worker);
  });
});
