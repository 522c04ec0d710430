import { playRuns } from './random/runs';

const runs = Number(process.env.RUNS ?? 75);
const atOnce = Number(process.env.AT_ONCE ?? 15);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('replays alike, whatever commands and queries arrive while workers die', async () => {
  console.info(`SEED=${seed}`);
  const { problems, firstBad, kept, ...tally } = await playRuns({
    runs,
    atOnce,
    turns: 2,
    deeds: 3,
    queriesAtOnce: 100,
    seed,
  });
  console.info(`SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
  expect({ seed, firstBad, kept, problems }).toEqual({ seed, firstBad: 0, kept: '', problems: [] });
  expect(tally.runs).toBe(runs);
  expect(tally.kills).toBeGreaterThanOrEqual(runs / 5);
  expect(tally.apart.all).toBeLessThanOrEqual(50);
}, 2_400_000);
