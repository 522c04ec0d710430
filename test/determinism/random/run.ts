import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import type { Message } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { startOptions } from '../../../client/runs/start/start-run';
import { factsOf } from '../../facts';
import { slowness } from '../../slowness';
import { talker, worker } from './agents';
import { RandomAnswers } from './answers';
import { RandomPerson } from './person';
import type { QueryPace } from './query-pace';
import { randomFrom } from './random';
import { RandomReader } from './reader';
import type { RandomStage } from './stage';
import { type Deed, Teller } from './teller';

/** All that is known about a run that has ended or never will. `stuck` says why nothing can be read from it. */
export interface Played {
  id: string;
  mode: 'task' | 'conversation';
  /** How it ended, as Temporal names it; or why it counts as stuck. */
  end: string;
  stuck?: string;
  facts: Fact[];
  messages: Message[];
  /** The facts as they arrived during the run. */
  heard: Fact[];
  deeds: readonly Deed[];
  /** Commands that were answered otherwise when they were repeated. */
  repeated: readonly string[];
  queries: { asked: number; failed: { [why: string]: number }; ms: number };
}

/**
 * Milliseconds without any event after which a run counts as stuck: every wait of a run is answered or ends by itself.
 * Attempts that are repeated because a worker died, or is slow, leave no event.
 */
const PATIENCE = 180_000;

/** Starts a run, talks to it, reads it all the time, and waits for its end. */
export async function playRun(
  stage: RandomStage,
  id: string,
  { seed, deeds, pace, moves, flaps }: { seed: number; deeds: number; pace: QueryPace; moves: boolean; flaps: boolean },
): Promise<Played> {
  const mode = randomFrom(seed).next() < 0.5 ? 'task' : 'conversation';
  const agent = mode === 'task' ? worker : talker;
  const { temporal } = stage.client;
  const input = { input: mode === 'task' ? `Do ${id}.` : null, owner: id };
  const start = { agent: agent.name, id, taskQueue: 'holdfast', input };
  await temporal.workflow.start(agent.name, startOptions(start));
  const began = Date.now();
  const run = stage.client.get(id);
  const teller = new Teller(temporal, id, { seed, repeats: moves });
  const [person, answers] = [new RandomPerson(teller, { nudges: moves, mends: flaps }), new RandomAnswers(teller)];
  const reader = new RandomReader(temporal, id, (pending) => answers.hear(pending));
  const over = new AbortController();
  const reading = reader.read(pace, over.signal);
  const ending = endOf(run.workflow).finally(() => over.abort());
  if (mode === 'task') await person.talk(2 * deeds, over.signal);
  else {
    await person.talk(deeds, over.signal);
    if (!over.signal.aborted) await person.close();
  }
  const end = await ending;
  // Commands that still wait for the run then fail, as the run is over.
  if ('stuck' in end) await run.workflow.terminate(end.stuck);
  await Promise.all([reading, teller.done()]);
  const queries = { asked: reader.asked, failed: reader.failed, ms: Date.now() - began };
  const played = { id, mode, heard: reader.heard, deeds: teller.deeds, repeated: teller.problems, queries } as const;
  if ('stuck' in end) return { ...played, end: 'stuck', stuck: end.stuck, facts: [], messages: [] };
  try {
    return { ...played, end: end.how, facts: await factsOf(run), messages: await run.transcript() };
  } catch (error) {
    return { ...played, end: end.how, stuck: `it can no longer be read: ${error}`, facts: [], messages: [] };
  }
}

/** How a run ended; or why it never will. */
async function endOf(workflow: WorkflowHandle): Promise<{ how: string } | { stuck: string }> {
  let over = false;
  const result = workflow.result().then(
    () => ({ how: 'completed' }),
    (error: unknown) => ({ how: rootCause(error) ?? String(error) }),
  );
  result.finally(() => {
    over = true;
  });
  const watched = async () => {
    for (let [length, since] = [0, Date.now()]; !over; await delay(1000)) {
      const { historyLength } = await workflow.describe();
      if (historyLength !== length) [length, since] = [historyLength, Date.now()];
      const silent = Date.now() - since;
      if (silent > PATIENCE * slowness()) return { stuck: `nothing has happened for ${silent} ms` };
    }
    return result;
  };
  return Promise.race([result, watched()]);
}
