/** Levels of arrays and objects that a JSON value from outside may have: nothing that people or programs write has as many. */
export const MAX_DEPTH = 200;
/**
 * Levels of a payload. What carries a value has some around it: the state that a run hands on has about ten. A recursive
 * function runs out of stack at about 3,000.
 */
export const MAX_PAYLOAD_DEPTH = 250;

/**
 * Whether a JSON value nests arrays and objects deeper than `max`. `JSON.parse` reads any depth, and every recursive function
 * after it, `JSON.stringify` among them, then runs out of stack; this one goes level by level, to `max`. Texts cost nothing.
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
