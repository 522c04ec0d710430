import type { LeftOut } from './histories';

/** A history that does not replay, or that cannot be read without a codec. */
export interface Failed {
  /** The run's id. */
  run: string;
  /** Temporal's id. */
  runId: string;
  agent: string;
  open: boolean;
  /** Id of the event at which it differs. */
  event?: number;
  reason: string;
  /** What to do. */
  todo: string;
}

/** How far the command is. */
export interface Tally {
  histories: number;
  runs: number;
  failed: number;
}

/** One line for a history that does not replay. */
export function failedLine({ run, runId, agent, event, reason, todo }: Failed): string {
  const at = event === undefined ? '' : ` at event ${event}`;
  return `✗ ${run} ${runId} ${agent}: differs${at}: ${reason} → ${todo}`;
}

export function progressLine({ histories, runs, failed }: Tally): string {
  return `replay  ${counted(histories, 'history', 'histories')} of ${counted(runs, 'run', 'runs')}, ${failed} failed`;
}

/** The last lines: what was found, and what was left out. */
export function summaryLines({ histories, runs, failed }: Tally, { deleted, more }: LeftOut, limit: number): string[] {
  const good = histories - failed;
  const of = counted(runs, 'run', 'runs');
  const replays = (count: number) => (count === 1 ? 'replays' : 'replay');
  const bad = failed === 1 ? 'does not' : 'do not';
  const lines = [
    histories === 0
      ? 'No history was found, so nothing was replayed.'
      : failed === 0
        ? `${counted(histories, 'history', 'histories')} of ${of} ${replays(good)}.`
        : `${counted(good, 'history', 'histories')} of ${of} ${replays(good)}; ${failed} ${bad}.`,
  ];
  if (deleted > 0) {
    const have = deleted === 1 ? 'One earlier history has' : `${deleted} earlier histories have`;
    lines.push(`${have} been deleted by the server and cannot be replayed.`);
  }
  if (more) lines.push(`There are more runs: \`--limit ${limit}\` ended the search. Older ones were not replayed.`);
  return lines;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
