import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of CPU time by thread name of one process, from Linux's /proc. The first thread is called `main`. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** A clock tick of /proc is 10 ms on every Linux that Node runs on. */
const TICK = 10;

export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, number>();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    const file = `/proc/${pid}/task/${tid}/stat`;
    // A thread may end while the files are read.
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : '0 () ';
    // The name is in parentheses and may hold anything, spaces included.
    const end = stat.lastIndexOf(')');
    const name = Number(tid) === pid ? 'main' : stat.slice(stat.indexOf('(') + 1, end);
    const fields = stat.slice(end + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    times.set(name, (times.get(name) ?? 0) + ticks * TICK);
  }
  return times;
}

/** The CPU time used between two readings, in descending order, without unused threads. */
export function used(before: ThreadTimes, after: ThreadTimes): [name: string, ms: number][] {
  return [...after]
    .map(([name, ms]): [string, number] => [name, ms - (before.get(name) ?? 0)])
    .filter(([, ms]) => ms > 0)
    .sort(([, a], [, b]) => b - a);
}
