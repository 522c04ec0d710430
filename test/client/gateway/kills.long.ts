import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../until';
import { Stage, type Victim } from './kills/stage';
import { watchRun } from './kills/watched-run';

/** Megabytes that a server or a worker may have, whatever has happened. */
const MEMORY = 700;
const RUNS = Number(process.env.RUNS ?? 20);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

/** Watches runs from their start to their end. */
function watch(what: string, count: number) {
  const progress = { events: 0, done: false };
  const hearing = {
    heard: () => {
      progress.events++;
    },
  };
  const names = Array.from({ length: count }, (_, i) => `${what}-${i}`.replace(/\W/g, '_').replace(/_(\d+)$/, '-$1'));
  const problems = Promise.all(names.map((name) => watchRun(stage.url, name, hearing))).then((all) => all.flat());
  const end = () => {
    progress.done = true;
  };
  problems.then(end, end);
  /** Waits for so many events more. */
  const goOn = async (events: number) => {
    const from = progress.events;
    await until(() => progress.done || progress.events >= from + events, `${events} events more of ${what}`, 60_000);
  };
  return { progress, problems, goOn };
}

async function lose(victim: Victim, time: number): Promise<void> {
  await victim.kill();
  // It is the outage itself that takes this time.
  await delay(time);
  await victim.start();
}

describe.each([
  ['server 1', 1000],
  ['worker 1', 1000],
  ['Redis', 1000],
  ['Temporal', 3000],
])('%s is killed in mid-answer', (name, time) => {
  it('every reader ends with the same facts, and no text is shown twice', async () => {
    const { problems, goOn, progress } = watch(name, 4);
    await goOn(4 * 5 * 20);
    expect(progress.done).toBe(false);
    await lose(stage.victim(name), time);
    expect(await problems).toEqual([]);
  });
});

it(`any of them, again and again, during ${RUNS} runs (SEED=${SEED}, RUNS=${RUNS})`, async () => {
  const random = randomOf(SEED);
  const { problems, goOn, progress } = watch('chaos', RUNS);
  const killed: string[] = [];
  await goOn(RUNS * 5 * 4);
  for (const victim of [...shuffled(stage.victims, random), ...shuffled(stage.victims, random)]) {
    if (progress.done) break;
    killed.push(victim.name);
    await lose(victim, 1000 + 1000 * random());
    await goOn(RUNS * 5 * (1 + 10 * random()));
  }
  expect({ killed, problems: await problems }).toEqual({ killed, problems: [] });
  expect(new Set(killed).size).toBeGreaterThanOrEqual(4);
  for (const megabytes of stage.memory()) expect(megabytes).toBeLessThan(MEMORY);
}, 600_000);

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
