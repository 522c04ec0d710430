import { playRuns } from './random/runs';

const RUNS = 2;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('replays alike, whatever commands and queries arrive while workers die', async () => {
  const { problems, firstBad, kept, ...tally } = await playRuns({
    runs: RUNS,
    atOnce: 3,
    turns: 2,
    deeds: 3,
    queriesAtOnce: 3,
    seed,
  });
  console.info(`SEED=${seed}: ${JSON.stringify(tally)}`);
  expect({ seed, firstBad, kept, problems }).toEqual({ seed, firstBad: 0, kept: '', problems: [] });
  expect(tally.runs).toBe(RUNS);
  expect(tally.kills).toBeGreaterThanOrEqual(RUNS / 5);
}, 900_000);
