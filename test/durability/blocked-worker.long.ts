import { setTimeout } from 'node:timers/promises';
import { diagnose } from '../../client/silence/diagnose';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';
import { Stage } from './stage/stage';
import type { WorkerChild } from './stage/worker-child';

jest.setTimeout(180_000);

/** Milliseconds: twice the heartbeat timeout of calls that may be repeated. */
const BLOCKED = 20_000;
const hold = (tool: string, mode: string) => call(tool, { item: 'a', mode });

/** A user's function that blocks the event loop of the only worker for 20 s, with default limits. */
describe('a worker that a tool blocks', () => {
  let stage: Stage;
  let worker: WorkerChild;
  let told: string | undefined;

  beforeAll(async () => {
    stage = await Stage.open();
    worker = await stage.worker();
    const paying = await stage.startTeller('paying', hold('pay', 'stubborn'), text('paid'));
    await stage.started('paying', 'pay');
    const blocking = await stage.startTeller('blocking', hold('put', 'block'), text('put'));
    await stage.started('blocking', 'put');
    const began = Date.now();
    await until(
      () => worker.output.includes('`put` of the run `blocking` has blocked'),
      'the log to name the blocking tool',
    );
    const about = { namespace: stage.server.namespace, taskQueue: 'holdfast' };
    await until(async () => {
      told = await diagnose(stage.client.temporal, 'paying', about);
      return told !== undefined;
    }, 'the diagnosis');
    await setTimeout(Math.max(0, began + BLOCKED - Date.now()));
    stage.release('blocking', 'paying');
    await Promise.all([paying.result(), blocking.result()]);
  });
  afterAll(() => stage.close());

  it('logs which tool of which run blocks it, while it does', () => {
    const lines = worker.output.split('\n').filter((line) => line.includes('has blocked the worker'));
    const logged = lines.map((line): { level: string } => JSON.parse(line));
    // On a slow machine other code may block the worker, too: for less than the 5 s of an error.
    expect(logged.find(({ level }) => level === 'error')).toMatchObject({
      msg: expect.stringMatching(
        /^`put` of the run `blocking` has blocked the worker for 5 s: .* Hand such work to a thread/,
      ),
      calls: [{ run: 'blocking', tool: 'put', toolUseId: 't1.1' }],
    });
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'warn', calls: [{ run: 'blocking', tool: 'put', toolUseId: 't1.1' }] }),
    );
  });

  it('loses no call of another run that must not be repeated', () => {
    expect(stage.model.told('paying', 2)).toEqual(['pay a: done']);
    expect(stage.lines('paying', 'start')).toHaveLength(1);
  });

  it('is not blocked a second time: the result of the call counts', () => {
    expect(stage.model.told('blocking', 2)).toEqual(['put a: done']);
    expect(stage.lines('blocking', 'start')).toHaveLength(1);
  });

  it('is reported as busy, not as missing', () => {
    expect(told).toMatch(
      new RegExp(`^The worker \`${worker.pid}@.*\` is busy since \\d\\d:\\d\\d:\\d\\d, or ended then: `),
    );
  });
});

/** With a heartbeat timeout of 2 s: the server assigns the call again, and the worker itself gives it up after 7 s. */
describe('a tool that blocks its worker and then goes on', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it('is not run again, and its error says why', async () => {
    const worker = await stage.worker();
    const run = await stage.start('first', hold('put', 'block-first'), text('put'));
    await run.result();
    expect(stage.lines('first', 'start')).toMatchObject([{ pid: worker.pid, attempt: 1 }]);
    const [told] = stage.model.told('first', 2);
    expect(told).toMatch(
      /^`put` gave no result: it blocked its worker for (9|1\d)(\.\d)? s, .* Do not repeat the call\.$/,
    );
  });
});
