/**
 * Milliseconds of processor time that this process, with all its threads, takes for some work. What other processes take
 * in the meantime does not count, so that a limit holds on a busy machine, too.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
