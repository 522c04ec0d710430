/** Milliseconds between two samples. */
export const INTERVAL = 5;

/**
 * Measures the longest time, in milliseconds, in which the event loop did nothing else, until the returned function is
 * called. Only time that this process used counts: while others hold the cores, the event loop stands still, too.
 */
export function longestBlock(): () => number {
  let since = performance.now();
  let used = process.cpuUsage();
  let longest = 0;
  const sample = () => {
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min(performance.now() - since, (user + system) / 1000));
    since = performance.now();
    used = process.cpuUsage();
  };
  const timer = setInterval(sample, INTERVAL);
  return () => {
    clearInterval(timer);
    sample();
    return longest;
  };
}
