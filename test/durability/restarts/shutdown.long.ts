import type { RunHandle } from '../../../client/runs/run-handle';
import { newGate } from '../../gate';
import { call, text } from '../../kit/scripted-model';
import { type Turn, unending } from '../stage/run-scripts';
import { Stage } from '../stage/stage';
import type { WorkerChild } from '../stage/worker-child';

/** A deploy: the old worker gets SIGTERM with a run at each kind of place, then a new one starts. */
describe('a worker that gets SIGTERM', () => {
  let stage: Stage;
  let first: WorkerChild;
  let second: WorkerChild;
  let code: number | null;
  const runs: { [name: string]: RunHandle<unknown> } = {};
  const run = (name: string) => runs[name] as RunHandle<unknown>;

  beforeAll(async () => {
    stage = await Stage.open();
    first = await stage.worker({ grace: 300 });
    const start = async (name: string, ...turns: Turn[]) => {
      runs[name] = await stage.start(name, ...turns);
    };
    const hold = (tool: string, mode: string) => call(tool, { item: 'a', mode });
    await start('thinking', ({ attempt }) => (attempt === 1 ? unending(['half']) : text('thought')));
    for (const tool of ['look', 'put']) {
      await start(`${tool}-wait`, hold(tool, 'wait'), text('done'));
      await start(`${tool}-stubborn`, hold(tool, 'stubborn'), text('done'));
    }
    await start('pay-wait', hold('pay', 'wait'), hold('pay', 'wait'), text('done'));
    await start('pay-stubborn', hold('pay', 'stubborn'), hold('pay', 'stubborn'), text('done'));
    runs.init = await stage.startBuilder('init', 'wait', text('begun'));
    runs.finish = await stage.startBuilder('finish', 'quick', text('wait: finished'));

    await stage.model.arrival('thinking', 1);
    for (const tool of ['look', 'put', 'pay']) {
      await stage.started(`${tool}-wait`, tool);
      await stage.started(`${tool}-stubborn`, tool);
    }
    await stage.started('init', 'contextBuilder');
    await stage.started('finish', 'outputBuilder');
    first.terminate();

    code = await first.end();
    stage.release(...Object.keys(runs));
    second = await stage.worker();
    await Promise.allSettled(Object.values(runs).map((r) => r.result()));
  });
  afterAll(() => stage.close());

  it('ends by itself, in order', () => {
    expect({ code, output: first.output }).toMatchObject({ code: 0 });
  });

  it('leaves no run cancelled or failed', async () => {
    const ends = await Promise.all(Object.entries(runs).map(async ([name, r]) => [name, (await r.state()).status]));
    expect(ends).toEqual(Object.keys(runs).map((name) => [name, 'completed']));
    for (const r of Object.values(runs)) await stage.checked(r);
  });

  it('has its model call made again by the next worker, without a partial answer', async () => {
    expect(await run('thinking').result()).toMatchObject({ data: 'thought' });
    expect(stage.model.requests('thinking').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((await run('thinking').transcript()).filter((message) => message.partial)).toEqual([]);
  });

  it.each(['look-wait', 'look-stubborn', 'put-wait', 'put-stubborn'])(
    'has its tool run again by the next worker, under one key (%s)',
    (name) => {
      const starts = stage.lines(name, 'start');
      expect(starts.map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
      expect(new Set(starts.map(({ key }) => key)).size).toBe(1);
      expect(stage.model.told(name, 2)).toEqual([`${name.split('-')[0]} a: done`]);
    },
  );

  it.each(['pay-wait', 'pay-stubborn'])('never has a tool run twice that must not be repeated (%s)', (name) => {
    expect(stage.lines(name, 'start').map(({ toolUseId, pid }) => [toolUseId, pid])).toEqual([['t1.1', first.pid]]);
    expect(stage.model.told(name, 2)[0]).toContain('It is unknown whether `pay` took effect: its worker was shut down');
    expect(stage.model.told(name, 3)[0]).toContain('`pay` was not run');
  });

  it.each(['contextBuilder', 'outputBuilder'])('has a builder run again that its signal stopped (%s)', (tool) => {
    const starts = stage.lines(tool === 'contextBuilder' ? 'init' : 'finish', 'start');
    expect(starts.filter((line) => line.tool === tool).map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
  });
});

describe('a worker with a generous grace', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it('finishes the calls it has begun, so that nothing is done twice or lost', async () => {
    const first = await stage.worker({ grace: 10_000 });
    const { open: answer, opened: asked } = newGate();
    const thinking = await stage.start('thinking', async () => {
      await asked;
      return text('thought');
    });
    const paying = await stage.start('paying', call('pay', { item: 'a', mode: 'wait' }), text('paid'));
    await stage.model.arrival('thinking', 1);
    await stage.started('paying', 'pay');
    first.terminate();
    await first.stopping();
    answer();
    stage.release('paying');
    expect(await first.end()).toBe(0);
    await stage.worker();
    expect((await thinking.result()).data).toBe('thought');
    expect((await paying.result()).data).toBe('paid');
    expect(stage.model.requests('thinking')).toHaveLength(1);
    expect(stage.lines('paying').map(({ event }) => event)).toEqual(['start', 'end']);
    expect(stage.model.told('paying', 2)).toEqual(['pay a: done']);
    await stage.checked(paying);
  });
});
