import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../until';
import { Stage, type Victim } from './kills/stage';
import { watchRun } from './kills/watched-run';

/** Megabytes that a server or a worker may have, whatever has happened. */
const MEMORY = 700;
/** Of each run. */
const READERS = 5;
const RUNS = Number(process.env.RUNS ?? 20);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

/** Watches so many runs at a time; each is followed by another one, until it is told that these are enough. */
function watch(what: string, atOnce: number) {
  let events = 0;
  let runs = 0;
  let enough = false;
  const hearing = {
    heard: () => {
      events++;
    },
  };
  const watchSome = async () => {
    const problems: string[] = [];
    do problems.push(...(await watchRun(stage.url, `${what}-${runs++}`, hearing)));
    while (!enough);
    return problems;
  };
  const all = Promise.all(Array.from({ length: atOnce }, watchSome)).then((problems) => problems.flat());
  let failed = false;
  all.catch(() => {
    failed = true;
  });
  return {
    /** Waits for so many events more of each of its readers. */
    async goOn(each: number) {
      const goal = events + each * atOnce * READERS;
      await until(() => failed || events >= goal, `${each} events more for each reader of ${what}`, 60_000);
    },
    /** No other runs follow. What was wrong with all, once they have ended. */
    problems() {
      enough = true;
      return all;
    },
  };
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
  // The beginnings of the answers go with Redis; then readers come to a server that knows nothing of them.
  ['Redis and server 1 and server 2', 200],
  ['Temporal', 3000],
])('%s is killed in mid-answer', (names, time) => {
  it('every reader ends with the same facts, and no text is shown twice', async () => {
    const runs = watch(names.replaceAll(' ', '_'), 4);
    await runs.goOn(10);
    for (const name of names.split(' and ')) await lose(stage.victim(name), time);
    expect(await runs.problems()).toEqual([]);
  });
});

it(`any of them, again and again, during ${RUNS} runs (SEED=${SEED}, RUNS=${RUNS})`, async () => {
  const random = randomOf(SEED);
  const runs = watch('any', RUNS);
  await runs.goOn(4);
  for (const victim of shuffled(stage.victims, random)) {
    await lose(victim, 1000 + 1000 * random());
    await runs.goOn(1 + 20 * random());
  }
  expect(await runs.problems()).toEqual([]);
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
