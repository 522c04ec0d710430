import { playRuns } from '../determinism/random/runs';

const runs = Number(process.env.RUNS ?? 36);
const atOnce = Number(process.env.AT_ONCE ?? 8);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('applies each command once, whatever arrives while runs go on in new histories and workers die', async () => {
  console.info(`SEED=${seed}`);
  const { problems, firstBad, kept, ...tally } = await playRuns({
    runs,
    atOnce,
    turns: 3,
    deeds: 8,
    queriesAtOnce: 100,
    seed,
    moves: true,
  });
  console.info(`SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
  expect({ seed, firstBad, kept, problems }).toEqual({ seed, firstBad: 0, kept: '', problems: [] });
  expect(tally.runs).toBe(runs);
  expect(tally.kills).toBeGreaterThanOrEqual(runs / 5);
  expect(tally.deeds.moves).toBeGreaterThanOrEqual(runs);
}, 2_400_000);
