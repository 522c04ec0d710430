/** Maximum levels of arrays and objects in a JSON value from outside. Real data has fewer. */
export const MAX_DEPTH = 200;
/**
 * Maximum levels of a payload. It adds levels around a value: the state that a run passes on adds about ten. A
 * recursive function runs out of stack at about 3,000.
 */
export const MAX_PAYLOAD_DEPTH = 250;

/**
 * Whether a JSON value nests arrays and objects deeper than `max`. `JSON.parse` reads any depth, and every later
 * recursive function, including `JSON.stringify`, then runs out of stack. This one goes level by level, up to `max`.
 * Texts cost nothing.
 */
export function isNestedDeeper(value: unknown, max: number = MAX_DEPTH): boolean {
  let level = isNest(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === max) return true;
    const next: object[] = [];
    for (const nest of level) {
      if (Array.isArray(nest)) {
        for (const item of nest) if (isNest(item)) next.push(item);
      } else {
        for (const key in nest) {
          const field = (nest as { [key: string]: unknown })[key];
          if (isNest(field)) next.push(field);
        }
      }
    }
    level = next;
  }
  return false;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
