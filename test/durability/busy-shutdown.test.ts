import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../agent/values/json';
import { call, calls, text } from '../kit/scripted-model';
import { Stage } from './stage/stage';

const hold = (tool: string, mode: string) => call(tool, { item: 'a', mode });

jest.setTimeout(120_000);

/** SIGTERM to workers that have no time for it. */
describe('a busy worker that is told to end', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it('ends in order while a tool holds it up, whose result counts', async () => {
    const worker = await stage.worker();
    const run = await stage.start('blocked', hold('pay', 'block'), text('paid'));
    await stage.started('blocked', 'pay');
    worker.terminate();
    await setTimeout(1000);
    stage.release('blocked');
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
    await stage.worker().then(async (next) => {
      expect((await run.result()).data).toBe('paid');
      expect(stage.model.told('blocked', 2)).toEqual(['pay a: done']);
      await next.kill();
    });
  });

  it('ends in order where a tool holds it up past all grace', async () => {
    const worker = await stage.worker();
    const run = await stage.start('late', hold('pay', 'block-at-end'), text('paid'));
    await stage.started('late', 'pay');
    worker.terminate();
    // Past the grace of 300 ms, and the 5 s in which what was told to stop may still report.
    await setTimeout(8000);
    stage.release('late');
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
    expect(worker.output).not.toContain('still in use');
    const next = await stage.worker();
    expect((await run.result()).data).toBe('paid');
    expect(stage.lines('late', 'start')).toHaveLength(1);
    await next.kill();
  });

  it('ends with dozens of calls in flight that do not listen', async () => {
    const worker = await stage.worker();
    const many = Array.from(
      { length: 20 },
      (_, n) => ['put', { item: `${n}`, mode: 'stubborn' }] as [string, JsonObject],
    );
    const run = await stage.start('many', calls(...many), text('all put'));
    await stage.started('many', 'put', many.length);
    worker.terminate();
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
    stage.release('many');
    const next = await stage.worker();
    expect((await run.result()).data).toBe('all put');
    await next.kill();
  });

  it('ends although a builder does not', async () => {
    const worker = await stage.worker();
    const run = await stage.startBuilder('building', 'stubborn', text('built'));
    await stage.started('building', 'contextBuilder');
    worker.terminate();
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
    stage.release('building');
    const next = await stage.worker();
    expect((await run.result()).data).toBe('built');
    await next.kill();
  });
  it('ends although the server is gone', async () => {
    const worker = await stage.worker();
    await stage.start('left', hold('put', 'stubborn'), text('put'));
    await stage.started('left', 'put');
    await stage.server.stop();
    worker.terminate();
    expect({ code: await worker.end(), output: worker.output }).toMatchObject({ code: 0 });
  });
});
