import { until } from '../until';
import { checkSixTurns, SIX_TURNS } from './stage/six-turns';
import { Stage } from './stage/stage';

const RUNS = 20;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it(`completes ${RUNS} runs of six turns on two workers, one of which is killed in the middle`, async () => {
  const [first, second] = await Promise.all([stage.worker(), stage.worker()]);
  const names = Array.from({ length: RUNS }, (_, i) => `run-${i}`);
  const runs = await Promise.all(names.map((name) => stage.start(name, ...SIX_TURNS)));
  // Its death has to find calls of both kinds in progress, in runs that are past their beginning.
  const underWay = (tool: string) =>
    stage
      .underWay()
      .filter((line) => line.tool === tool && line.pid === first.pid && line.toolUseId?.startsWith('t3.'));
  await until(() => underWay('pay').length > 0 && underWay('put').length > 0, 'the middle of the work');
  await first.kill();
  const ends = await Promise.all(runs.map((run) => run.result()));
  expect(ends.map(({ data }) => data)).toEqual(names.map(() => 'done'));

  const { unknown, repeated, starts } = await checkSixTurns(stage, names);
  expect(new Set(starts.map(({ pid }) => pid))).toEqual(new Set([first.pid, second.pid]));
  expect(unknown).toBeGreaterThan(0);
  expect(repeated).toBeGreaterThan(0);
});
