import { playRandomAnswers } from './random-answers/runs';

/** One of each agent. */
const RUNS = 48;
const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);

it('ends with a reason and replays, whatever its model answers', async () => {
  const { problems, tally } = await playRandomAnswers(seed, RUNS, 8);
  console.info(`HOLDFAST_SEED=${seed}: ${JSON.stringify(tally)}`);
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  expect(tally.runs).toBe(RUNS);
}, 300_000);
