import { readLines } from '../../durability/stage/tool-log';
import { Replays } from '../replays';
import { runProblems } from './check-run';
import { QueryPace } from './query-pace';
import { randomFrom } from './random';
import { type Played, playRun } from './run';
import { RandomStage } from './stage';
import { type Tally, tallyOf } from './tally';

/** The result of a number of random runs. */
export interface Report extends Tally {
  problems: string[];
  /** The number of the first run with a problem, in the order of their ends; 0: none. */
  firstBad: number;
  /** The folder with the histories of the runs with problems; empty if there are none. */
  kept: string;
}

export interface RandomRunsOptions {
  runs: number;
  /** Runs in progress at the same time. */
  atOnce: number;
  /** How many answers with calls the model gives in one exchange. */
  turns: number;
  /** How many things a person does in a conversation, besides answers and decisions; in a task twice as many. */
  deeds: number;
  /** Queries that may be unanswered at the same time. One is made every 40 ms if the machine keeps up. */
  queriesAtOnce: number;
  seed: number;
  /** Runs go on in new histories again and again, and people repeat commands in them whose reply they lost. */
  moves?: boolean;
  /** Models do not answer now and then, in every way, and people mend it. */
  flaps?: boolean;
}

/** Events of a history after which the server suggests a new one: a few turns. */
const FEW = ['limit.historyCount.suggestContinueAsNew=50'];

/**
 * Plays random runs while their workers die, and replays every history. After the first run with a problem it starts no
 * other.
 */
export async function playRuns({
  runs,
  atOnce,
  turns,
  deeds,
  queriesAtOnce,
  seed,
  moves = false,
  flaps = false,
}: RandomRunsOptions): Promise<Report> {
  const stage = await RandomStage.open(seed, { turns, flaps, settings: moves ? FEW : [] });
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
        // At least one worker is killed for every five runs. The runs that begin together do not wait for it.
        if (i >= atOnce) await workers.killed((i + 1) / 5);
        if (bad.size > 0) return;
        const played = await playRun(stage, `run-${i}`, { seed: seed + i, deeds, pace, moves, flaps });
        all.push(played);
        const lines = readLines(stage.dir).filter((line) => line.run === played.id);
        // A call that failed costs something, too, and the next one has the number of its turn.
        const isMeant = (problem: string) => flaps && problem.startsWith('usage twice');
        note(
          played.id,
          runProblems(played, lines).filter((problem) => !isMeant(problem)),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane)).finally(() => {
      pace.stop();
      return workers.close();
    });
    const tally = tallyOf(all, workers, Date.now() - began);
    const replays = new Replays(stage.client);
    for (const [id, problems] of await replays.all()) note(id, problems);
    // A problem of a child counts for its parent: the id of a child begins with the id of its parent.
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
