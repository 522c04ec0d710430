import type { Fact } from '../../../agent/protocol/facts/fact';
import { type Follow, followRun } from '../../../cli/runs/run';

export const START: Fact = { type: 'loop.start', agent: 'support.triage', seq: 1, time: 0, exchange: 1 };
export const END: Fact = {
  ...{ type: 'loop.end', reason: 'completed', turns: 1, usage: { prompt: 1, completion: 2 }, executionUnits: 3 },
  ...{ seq: 2, time: 0, exchange: 1 },
};
export const NOTHING = { approvals: [], questions: [] };
export const RESULT = {
  data: { queue: 'billing' },
  usage: { prompt: 1, completion: 2 },
  executionUnits: 3,
  calls: { model: 1, tool: 0 },
};

/** Follows a made-up run as `holdfast run` does: what it prints, and when it has ended. */
export function follow(
  facts: (options: { signal: AbortSignal }) => AsyncIterable<Fact>,
  options: Partial<Pick<Follow, 'json' | 'verbose' | 'diagnose' | 'absence'>> = {},
) {
  const [out, err]: [string[], string[]] = [[], []];
  const run = {
    id: 'mail-1',
    facts,
    events: facts,
    result: async () => RESULT,
    cancel: async () => {},
    waiting: async () => NOTHING,
  };
  const { json = false, verbose = false, diagnose = async () => undefined, absence } = options;
  const done = followRun(run, {
    json,
    verbose,
    diagnose,
    out: (l) => out.push(l),
    err: (l) => err.push(l),
    silence: 5,
    absence,
  });
  return { out, err, done };
}
