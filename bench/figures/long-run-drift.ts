import { type Figure, type Settings, scaled } from '../figure';
import { short } from '../pairs';
import { Stage } from '../stage';

const TURNS = 10_000;
const PART = 500;

/**
 * Bare has no such figure: its history would be terminated at 51,200 events. The times are those of the workflow, which
 * the facts have.
 */
export const longRunDrift: Figure = {
  name: 'long_run_drift',
  what: `time a turn, the last ${PART} over the first ${PART} of ${TURNS}`,
  unit: '×',
  bar: { on: 'value', max: 1.1 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    try {
      await stage.warmUp();
      return await measureRun(stage, settings);
    } finally {
      await stage.close();
    }
  },
};

async function measureRun(stage: Stage, settings: Settings) {
  const [turns, part] = [scaled(settings, TURNS), scaled(settings, PART)];
  const run = await stage.agents.start('bench.long', { input: { turns } });
  await run.result();
  settings.tell('the run has ended, its facts are read');
  const began = performance.now();
  const turnAt = new Map<number, number>();
  let facts = 0;
  let histories = 1;
  for await (const fact of run.facts()) {
    facts++;
    if (fact.type === 'loop.iteration') turnAt.set(fact.turn, fact.time);
    if (fact.type === 'run.continued') histories++;
  }
  const reading = (performance.now() - began) / 1000;
  const perTurn = (from: number) => ((turnAt.get(from + part) ?? Number.NaN) - (turnAt.get(from) ?? Number.NaN)) / part;
  const [first, last] = [perTurn(1), perTurn(turns - part)];
  const note = `${short(first)} ms a turn at first, ${short(last)} at last; ${histories} histories; ${facts} facts were read in ${short(reading)} s`;
  return { value: last / first, note };
}
