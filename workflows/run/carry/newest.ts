import { jsonBytes } from '../../../agent/values/json';

/** The newest of some values, in their order, whose list has at most `max` bytes as JSON. */
export function newest<T>(values: readonly T[], max: number): T[] {
  // Of the brackets; each value has a comma.
  let bytes = 2;
  let from = values.length;
  while (from > 0) {
    bytes += jsonBytes(values[from - 1]) + 1;
    if (bytes > max) break;
    from--;
  }
  return values.slice(from);
}
