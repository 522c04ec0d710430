/** The index of the card that a key moves to; `undefined` for other keys. `at` is -1 where no card has the focus. */
export function movedBy(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'j') return Math.min(count - 1, at + 1);
  if (key === 'k') return Math.max(0, at - 1);
  return undefined;
}
