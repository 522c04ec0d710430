import { jsonBytes } from '../../../agent/values/json';

/** As many of the newest values, in their order, as fit into `max` bytes as a JSON list. */
export function newest<T>(values: readonly T[], max: number): T[] {
  // The brackets. Each value adds a comma.
  let bytes = 2;
  let from = values.length;
  while (from > 0) {
    bytes += jsonBytes(values[from - 1]) + 1;
    if (bytes > max) break;
    from--;
  }
  return values.slice(from);
}
