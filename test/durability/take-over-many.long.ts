import type { temporal } from '@temporalio/proto';
import { call, text } from '../kit/scripted-model';
import { walker } from './stage/agents';
import { Stage } from './stage/stage';

const RUNS = 16;
const TURNS = 100;
/** Workflow tasks of a worker at once. */
const AT_ONCE = 10;
/** A wait for all runs to get that far is short enough for any machine. */
const STRIDE = 10;
const SECOND = 1000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it(
  'replays the long runs of a dead worker ten at a time, so that the first ones continue before the last',
  async () => {
    const worker = await stage.worker();
    const ids = Array.from({ length: RUNS }, (_, i) => `walker-${i}`);
    const steps = Array.from({ length: TURNS }, (_, i) => call('look', { item: `${i}` }));
    const runs = await Promise.all(
      ids.map((id) => {
        stage.model.script(id, ...steps, call('look', { item: 'last', mode: 'wait' }), text('done'));
        return stage.client.start(walker, { id, input: { run: id } });
      }),
    );
    for (let turn = 1; turn <= TURNS + 1; turn += STRIDE) {
      for (const id of ids) await stage.model.arrival(id, turn);
    }
    for (const id of ids) await stage.started(id, 'look', TURNS + 1);
    await worker.kill();
    // Each run has a task to do when the new worker comes.
    await Promise.all(runs.map((run) => run.workflow.signal('rename', { title: 'taken over' })));
    const since = Date.now();
    stage.release(...ids);
    await stage.worker();
    expect(await Promise.all(runs.map(async (run) => (await run.result()).data))).toEqual(ids.map(() => 'done'));

    const tasks = await Promise.all(runs.map(async ({ workflow }) => firstTask(await workflow.fetchHistory(), since)));
    expect(mostAtOnce(tasks)).toBeLessThanOrEqual(AT_ONCE);
  },
  600 * SECOND,
);

interface Span {
  from: number;
  to: number;
}

/** When the first workflow task that began after `since` was taken and finished. */
function firstTask({ events }: temporal.api.history.v1.IHistory, since: number): Span {
  const all = events ?? [];
  const begun = all.findIndex((event) => event.workflowTaskStartedEventAttributes != null && timeOf(event) > since);
  return { from: timeOf(all[begun]), to: timeOf(all[begun + 1]) };
}

function timeOf(event: temporal.api.history.v1.IHistoryEvent | undefined): number {
  return Number(event?.eventTime?.seconds) * SECOND + Number(event?.eventTime?.nanos) / 1e6;
}

function mostAtOnce(spans: readonly Span[]): number {
  return Math.max(...spans.map(({ from }) => spans.filter((span) => span.from <= from && from < span.to).length));
}
