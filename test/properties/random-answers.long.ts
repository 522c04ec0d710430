import { playRandomAnswers } from './random-answers/runs';

/** 150 runs took 130 s on two processors beside other tests. */
const runs = Number(process.env.HOLDFAST_RUNS ?? 200);
const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);

/** What must happen somewhere in 200 runs, by type of fact: in 150 runs each of them happened seven times or more. */
const KINDS = [
  ...['tool.result', 'tool.error', 'tool.none', 'tool.dropped', 'tool.repaired', 'tools.offered', 'thinking'],
  ...['plan.made', 'plan.decided', 'plan.step', 'plan.done', 'plan.fallback', 'output.rejected'],
  ...['approval.decided', 'question.answered', 'question.declined', 'exchange.end', 'prompt.section.failed'],
  ...['answer.nudged', 'answer.replaced', 'breaker.skipped', 'breaker.hinted', 'breaker.stopped', 'budget.reached'],
  'context.compacted',
];

it(
  'ends with a reason and replays, whatever its model answers',
  async () => {
    console.info(`HOLDFAST_SEED=${seed}`);
    const { problems, tally } = await playRandomAnswers(seed, runs, 16);
    console.info(`HOLDFAST_SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(tally.runs).toBe(runs);
    if (runs >= 200) expect(Object.keys(tally.facts)).toEqual(expect.arrayContaining(KINDS));
    expect(tally.ends.result).toBeGreaterThan(runs / 3);
  },
  Math.max(200, runs) * 3000,
);
