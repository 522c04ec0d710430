import { playRuns } from './random/runs';

const runs = Number(process.env.RUNS ?? 20);
const atOnce = Number(process.env.AT_ONCE ?? 8);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('loses nothing and replays alike while models fail, people mend it, workers die and runs go on in new histories', async () => {
  console.info(`SEED=${seed}`);
  const options = { runs, atOnce, turns: 3, deeds: 6, queriesAtOnce: 100, seed, moves: true, flaps: true };
  const { problems, firstBad, kept, ...tally } = await playRuns(options);
  console.info(`SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
  expect({ seed, firstBad, kept, problems }).toEqual({ seed, firstBad: 0, kept: '', problems: [] });
  expect(tally.runs).toBe(runs);
  expect(tally.kills).toBeGreaterThanOrEqual(runs / 5);
  expect(tally.deeds.moves).toBeGreaterThanOrEqual(runs / 2);
}, 2_400_000);
