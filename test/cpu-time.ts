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

/**
 * Checks that ten times as much takes about ten times as long, which holds on a slow machine, too: it would take a
 * hundred times as long if each piece were searched from the beginning.
 * @param work on so many characters
 */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  await cpuTime(() => work(size / 10));
  const tenth = await cpuTime(() => work(size / 10));
  expect(await cpuTime(() => work(size))).toBeLessThan(30 * tenth + 100);
}
