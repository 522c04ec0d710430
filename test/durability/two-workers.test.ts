import { call, calls, text } from '../kit/scripted-model';
import { Stage } from './stage';
import { until } from './until';

const RUNS = 20;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it(`completes ${RUNS} runs of six turns on two workers, one of which is killed in the middle`, async () => {
  const [first, second] = await Promise.all([stage.worker(), stage.worker()]);
  const names = Array.from({ length: RUNS }, (_, i) => `run-${i}`);
  const runs = await Promise.all(
    names.map((name) =>
      stage.start(
        name,
        call('look', { item: '1' }),
        calls(['pay', { item: '2' }], ['put', { item: '2' }]),
        // Slow enough that the kill finds some of them in their middle.
        calls(['pay', { item: '3', mode: 'brief' }], ['look', { item: '3' }], ['put', { item: '3', mode: 'brief' }]),
        { ...call('put', { item: '4' }), chunkDelay: 10, chunkSize: 2 },
        calls(['pay', { item: '5' }], ['look', { item: '5' }]),
        text('done'),
      ),
    ),
  );
  // Its death has to find calls of both kinds under way, in runs that are not at their beginning any more.
  const underWay = (tool: string) =>
    stage
      .underWay()
      .filter((line) => line.tool === tool && line.pid === first.pid && line.toolUseId?.startsWith('t3.'));
  await until(() => underWay('pay').length > 0 && underWay('put').length > 0, 'the middle of the work');
  await first.kill();
  const killed = Date.now();
  const ends = await Promise.all(runs.map((run) => run.result()));
  console.log(`all done ${Date.now() - killed} ms after the kill`);
  expect(ends.map(({ data }) => data)).toEqual(names.map(() => 'done'));

  let unknown = 0;
  for (const run of runs) {
    const facts = await stage.checked(run);
    expect(facts.at(-1)).toMatchObject({ reason: 'completed', turns: 6 });
    const lost = facts.flatMap((fact) => (fact.type === 'tool.error' ? [fact] : []));
    for (const fact of lost) expect(fact).toMatchObject({ name: 'pay', error: { type: 'OutcomeUnknown' } });
    unknown += lost.length;
    // One key a call, whoever ran it and however often; what must not be repeated ran once.
    const starts = stage.lines(run.id, 'start');
    for (const id of new Set(starts.map(({ toolUseId }) => toolUseId))) {
      const ofCall = starts.filter(({ toolUseId }) => toolUseId === id);
      expect(new Set(ofCall.map(({ key }) => key)).size).toBe(1);
      if (ofCall[0]?.tool === 'pay') expect(ofCall).toHaveLength(1);
    }
  }
  const all = names.flatMap((name) => stage.lines(name, 'start'));
  const repeated = all.filter(({ attempt }) => attempt > 1);
  console.log(`${unknown} outcomes unknown, ${repeated.length} of ${all.length} calls repeated`);
  expect(new Set(all.map(({ pid }) => pid))).toEqual(new Set([first.pid, second.pid]));
  expect(unknown).toBeGreaterThan(0);
  expect(repeated.length).toBeGreaterThan(0);
});
