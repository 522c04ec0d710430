import { playWhole } from './runs';

/** 20 runs took nine minutes on two processors beside nine times as much other work. */
const runs = Number(process.env.HOLDFAST_RUNS ?? 20);
const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2 ** 31);

/** What happens in any 20 runs. */
const KINDS = [
  'tool.result',
  'tool.error',
  'service.answered',
  'approval.requested',
  'run.continued',
  'message.received',
];

it('holds all its promises at once, whatever models, people, services and workers do', async () => {
  console.info(`HOLDFAST_SEED=${seed}`);
  const { problems, tally, kept } = await playWhole(seed, runs, 10, 9);
  console.info(`HOLDFAST_SEED=${seed}: ${JSON.stringify(tally, null, 1)}`);
  expect({ seed, kept, problems }).toEqual({ seed, kept: '', problems: [] });
  expect(tally.runs).toBe(runs);
  expect(tally.kills).toBeGreaterThanOrEqual(Math.floor((runs - 10) / 10));
  if (runs >= 20) expect(Object.keys(tally)).toEqual(expect.arrayContaining(KINDS));
}, 2_400_000);
