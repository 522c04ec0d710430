import type { JsonObject } from './json';

/** Whether a value is an object that JSON keeps as it is: no functions, dates, `undefined` or numbers without a value. */
export function isPlainJsonObject(value: unknown): value is JsonObject {
  return isPlain(value) && !Array.isArray(value) && value !== null && typeof value === 'object';
}

/** @param above the values around it: one that contains itself is not JSON */
function isPlain(value: unknown, above: readonly unknown[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || above.includes(value)) return false;
  const around = [...above, value];
  if (Array.isArray(value)) return value.every((item) => isPlain(item, around));
  const prototype: unknown = Object.getPrototypeOf(value);
  // A literal of another realm has another prototype, which has none.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  return Object.values(value).every((item) => isPlain(item, around));
}
