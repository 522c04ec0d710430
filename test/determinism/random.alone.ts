import { playRuns } from './random/runs';

/** On a slow machine fewer runs, rather than more time. */
const usual = { runs: 75, atMost: { seconds: 100, least: 30 } };
const asked = process.env.RUNS === undefined ? usual : { runs: Number(process.env.RUNS) };
const atOnce = Number(process.env.AT_ONCE ?? 15);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('replays alike, whatever commands and queries arrive while workers die', async () => {
  console.info(`SEED=${seed}`);
  const { problems, firstBad, kept, ...tally } = await playRuns({
    ...asked,
    atOnce,
    turns: 2,
    deeds: 3,
    queriesAtOnce: 100,
    seed,
  });
  console.info(`SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
  expect({ seed, firstBad, kept, problems }).toEqual({ seed, firstBad: 0, kept: '', problems: [] });
  expect(tally.runs).toBeGreaterThanOrEqual('atMost' in asked ? asked.atMost.least : asked.runs);
  expect(tally.kills).toBeGreaterThanOrEqual(Math.floor(tally.runs / 5));
  expect(tally.apart.all).toBeLessThanOrEqual(50);
}, 2_400_000);
