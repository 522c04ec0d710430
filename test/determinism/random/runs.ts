import { readLines } from '../../durability/stage/tool-log';
import { Replays } from '../replays';
import { runProblems } from './check-run';
import { QueryPace } from './query-pace';
import { randomFrom } from './random';
import { type Played, playRun } from './run';
import { RandomStage } from './stage';
import { type Tally, tallyOf } from './tally';

/** What came of a number of random runs. */
export interface Report extends Tally {
  problems: string[];
  /** Which run was the first that something was wrong with, in the order of their ends; 0: none. */
  firstBad: number;
  /** Where the histories of those are; empty where there are none. */
  kept: string;
}

export interface RandomRunsOptions {
  runs: number;
  /** Runs that go on at the same time. */
  atOnce: number;
  /** Answers of the model with calls, in one exchange. */
  turns: number;
  /** What a person does in a conversation beside the answers and decisions that it asks for; in a task twice as much. */
  deeds: number;
  /** Queries that may be without an answer at the same time: one in 40 ms is asked, where the machine keeps up. */
  queriesAtOnce: number;
  seed: number;
}

/**
 * Plays random runs while their workers die, and replays every history that came of it. Where something goes wrong with a
 * run no other is begun.
 */
export async function playRuns({
  runs,
  atOnce,
  turns,
  deeds,
  queriesAtOnce,
  seed,
}: RandomRunsOptions): Promise<Report> {
  const stage = await RandomStage.open(seed, turns);
  try {
    const workers = await stage.workers(randomFrom(seed));
    const all: Played[] = [];
    const bad = new Map<string, string[]>();
    const note = (id: string, problems: readonly string[]) => {
      if (problems.length > 0) bad.set(id, [...(bad.get(id) ?? []), ...problems]);
    };
    const began = Date.now();
    const pace = new QueryPace(queriesAtOnce);
    const numbers = Array.from({ length: runs }, (_, i) => i).values();
    const lane = async () => {
      for (const i of numbers) {
        // Of every five runs at least one loses its worker; those that begin together do so at once.
        if (i >= atOnce) await workers.killed((i + 1) / 5);
        if (bad.size > 0) return;
        const played = await playRun(stage, `run-${i}`, { seed: seed + i, deeds, pace });
        all.push(played);
        const lines = readLines(stage.dir).filter((line) => line.run === played.id);
        note(played.id, runProblems(played, lines));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane)).finally(() => {
      pace.stop();
      return workers.close();
    });
    const tally = tallyOf(all, workers, Date.now() - began);
    const replays = new Replays(stage.client);
    for (const [id, problems] of await replays.all()) note(id, problems);
    // What a child does is done for its parent, whose id its own begins with.
    const isBad = (id: string) => [...bad.keys()].some((other) => other === id || other.startsWith(`${id}/`));
    return {
      ...tally,
      problems: [...bad].flatMap(([id, problems]) => problems.map((problem) => `${id}: ${problem}`)),
      firstBad: all.findIndex(({ id }) => isBad(id)) + 1,
      kept: replays.keep(bad.keys()),
    };
  } finally {
    await stage.close();
  }
}
