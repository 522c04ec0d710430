import type { Fact } from '../../../agent/protocol/facts/fact';
import type { Played } from './run';

/** How much happened in a number of runs. */
export interface Tally {
  runs: number;
  kills: number;
  /** Workers that were started, by the number of runs that each kept in memory. */
  caches: { [cache: string]: number };
  queries: number;
  /** Queries that were not answered, by reason: workers died, or the run had not begun. */
  failed: { [why: string]: number };
  /** Milliseconds between two queries: of all runs together, and of one run while it went on. */
  apart: { all: number; run: number };
  /** What was done, by kind. */
  deeds: { [kind: string]: number };
  ends: { [how: string]: number };
  ms: number;
}

/** What happens by itself or at the request of a model, by type of fact. */
const KINDS: { readonly [type: string]: string } = {
  'tool.call': 'calls',
  'run.continued': 'moves',
  'question.asked': 'questions',
  'approval.requested': 'approvals asked',
  'approval.expired': 'time-outs',
  'question.expired': 'time-outs',
  'approval.escalated': 'time-outs',
};

export function tallyOf(all: readonly Played[], { kills, caches }: Pick<Tally, 'kills' | 'caches'>, ms: number): Tally {
  const deeds: Tally['deeds'] = {};
  const ends: Tally['ends'] = {};
  const failed: Tally['failed'] = {};
  const count = (in_: { [kind: string]: number }, kind: string | undefined) => {
    if (kind !== undefined) in_[kind] = (in_[kind] ?? 0) + 1;
  };
  for (const { deeds: done, facts, end, stuck, queries } of all) {
    for (const [why, times] of Object.entries(queries.failed)) failed[why] = (failed[why] ?? 0) + times;
    count(ends, stuck === undefined ? end : 'stuck');
    for (const { what, via, malformed } of done) count(deeds, malformed ? 'malformed' : `${what} by ${via}`);
    for (const fact of facts) count(deeds, KINDS[fact.type] ?? timeOut(fact));
    const calls = facts.filter((fact) => fact.type === 'tool.call').map((fact) => fact.turn);
    deeds['parallel batches'] =
      (deeds['parallel batches'] ?? 0) + new Set(calls.filter((turn, i) => calls.indexOf(turn) !== i)).size;
  }
  const sum = (pick: (queries: Played['queries']) => number) =>
    all.reduce((total, { queries }) => total + pick(queries), 0);
  const asked = sum((queries) => queries.asked);
  const apart = { all: Math.round(ms / asked), run: Math.round(sum((queries) => queries.ms) / asked) };
  return {
    runs: all.length,
    kills,
    caches,
    queries: asked,
    failed,
    apart,
    deeds,
    ends,
    ms,
  };
}

function timeOut(fact: Fact): string | undefined {
  return fact.type === 'tool.error' && fact.error.type === 'ServiceTimedOut' ? 'time-outs' : undefined;
}
