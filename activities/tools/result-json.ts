import { types } from 'node:util';
import { messageOf } from '../../agent/errors/error';

/** The JSON of what a tool returned, or why it has none. `undefined` as JSON: there is nothing to write. */
export type ResultJson = { json: string | undefined } | { problem: string };

/**
 * Writes what JSON would lose: a `Map` as an object, or as a list of pairs if a key is not a text; a `Set` as a list; an
 * `Error` with its name, message and fields; a `bigint`, `NaN` and `Infinity` as texts. Refuses values of which JSON
 * would keep nothing.
 */
export function resultJson(value: unknown): ResultJson {
  if (typeof value === 'function' || typeof value === 'symbol') return { problem: `it is a ${typeof value}` };
  let problem: string | undefined;
  try {
    const json = JSON.stringify(value, function (this: unknown, key: string, written: unknown) {
      const held = key === '' ? value : (this as { [key: string]: unknown })[key];
      const where = key === '' ? 'it' : `\`${key}\``;
      problem ??= isBinary(held)
        ? `${where} is binary data: return a media part, or a text in base64`
        : nothingOf(written, where);
      return problem === undefined ? plain(held, written) : undefined;
    });
    return problem === undefined ? { json } : { problem };
  } catch (error) {
    // Out of stack, which is told as too deep; or a cycle, or a `toJSON` or a getter that throws.
    if (error instanceof RangeError) throw error;
    return { problem: messageOf(error) };
  }
}

export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** @param written what `toJSON` of the value gave; the value itself if it has none */
function plain(held: unknown, written: unknown): unknown {
  if (typeof written === 'bigint' || (typeof written === 'number' && !Number.isFinite(written))) return String(written);
  if (types.isDate(held) && written === null) return String(held);
  if (types.isSet(written)) return [...written];
  if (types.isMap(written)) {
    const pairs = [...written];
    return pairs.every(([key]) => typeof key === 'string') ? Object.fromEntries(pairs) : pairs;
  }
  if (isError(written)) return Object.assign({ name: written.name, message: written.message }, written);
  return written;
}

function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/** Says that JSON would write `{}` for an object that is not empty: a promise, an iterator, private fields only. */
function nothingOf(value: unknown, where: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > 0) return;
  if (types.isMap(value) || types.isSet(value) || isError(value) || types.isBoxedPrimitive(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of a plain object has none itself. This also holds for objects of another realm.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  if (types.isPromise(value)) return `${where} is a promise: await it`;
  return `JSON keeps nothing of ${where}, ${nameOf(value)}: return plain data, or give it a \`toJSON\``;
}

/** For example `[object Headers]`; the class's name where the object does not say. */
function nameOf(value: object): string {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' ? `an instance of \`${value.constructor.name}\`` : tag;
}
