/**
 * Milliseconds of processor time that this process, with all its threads, takes for some work: the first that is less
 * than `enough`, or the least of three. What other processes take in the meantime does not count; but on a busy machine
 * the compiler comes late to the same work, and the garbage of other tests is collected during it.
 */
export async function cpuTime(work: () => unknown, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= enough; tries++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
