import type { ModelPart } from '../../../../agent/model/adapter';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../../../agent/values/json-depth';
import { AnswerFault } from '../../failures/answer-fault';

/** A field of a part. */
interface Field {
  /** What is expected: `a string`. */
  what: string;
  /** A copy of the value; `undefined` if it does not fit. */
  read(value: unknown): unknown;
  isOptional?: true;
}

const text: Field = { what: 'a string', read: (value) => (typeof value === 'string' ? value : undefined) };
const place: Field = {
  what: 'a whole number of at least 0',
  read: (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined),
};
const object: Field = { what: `a JSON object of at most ${MAX_DEPTH} levels`, read: jsonCopy };
const json: Field = {
  what: `JSON, as a string or as an object of at most ${MAX_DEPTH} levels`,
  read: (value) => (typeof value === 'string' ? value : jsonCopy(value)),
};
const COUNTS = ['prompt', 'completion', 'cached', 'cacheWritten', 'reasoning'];
const usage: Field = {
  what: '`{ prompt, completion, cached?, cacheWritten?, reasoning?, estimated? }` in numbers of tokens',
  read(value) {
    if (!isJsonObject(value)) return undefined;
    const counts = COUNTS.filter((name) => value[name] !== undefined);
    const isWhole = value.prompt !== undefined && value.completion !== undefined;
    if (!isWhole || !counts.every((name) => typeof value[name] === 'number')) return undefined;
    const read = Object.fromEntries(counts.map((name) => [name, value[name]]));
    return value.estimated === true ? { ...read, estimated: true } : read;
  },
};
const REASONS: readonly unknown[] = ['stop', 'length', 'refused', 'failed'];
const reason: Field = {
  what: '`stop`, `length`, `refused` or `failed`',
  read: (value) => (REASONS.includes(value) ? value : undefined),
};
const optional = (field: Field): Field => ({ ...field, isOptional: true });

/** The fields of each type of part. */
const PARTS: { readonly [T in ModelPart['type']]: { readonly [field: string]: Field } } = {
  text: { text },
  reasoning: { text, id: optional(text), providerData: optional(object), field: optional(text) },
  call: {
    index: optional(place),
    id: optional(text),
    name: optional(text),
    arguments: optional(json),
    providerData: optional(object),
  },
  refusal: { text },
  data: { data: object },
  model: { model: text },
  usage: { usage },
  finish: { reason, said: optional(text) },
};

const isType = (type: unknown): type is ModelPart['type'] => typeof type === 'string' && Object.hasOwn(PARTS, type);

/**
 * A copy of what a function yields as a part: nothing of it is trusted, and it may change it later.
 * @param number which part of the answer it is, from 1
 * @throws AnswerFault that names the part and the field
 */
export function checkedPart(given: unknown, number: number): ModelPart {
  if (!isJsonObject(given)) throw wrong(number, `expected an object with a \`type\`, got ${kindOf(given)}`);
  const { type } = given;
  if (!isType(type)) {
    const known = Object.keys(PARTS).map((name) => `\`${name}\``);
    const got = typeof type === 'string' ? `\`${type.slice(0, 40)}\`` : kindOf(type);
    throw wrong(number, `its \`type\` is ${got}; known are ${known.join(', ')}`);
  }
  const fields = PARTS[type];
  const part: { [field: string]: unknown } = { type };
  for (const name of Object.keys(given)) {
    if (name === 'type' || Object.hasOwn(fields, name)) continue;
    const known = Object.keys(fields).map((field) => `\`${field}\``);
    throw wrong(number, `it has a field \`${name.slice(0, 40)}\`; known are ${known.join(', ')}`, type);
  }
  for (const [name, { what, read, isOptional }] of Object.entries(fields)) {
    const value: unknown = given[name];
    if (value === undefined && isOptional) continue;
    const copy = read(value);
    if (copy === undefined) throw wrong(number, `expected \`${name}\` to be ${what}, got ${kindOf(value)}`, type);
    part[name] = copy;
  }
  // Each field of its type has just been checked.
  return part as ModelPart;
}

function wrong(number: number, problem: string, type?: string): AnswerFault {
  return new AnswerFault('unreadable', `part ${number}${type === undefined ? '' : ` (\`${type}\`)`}: ${problem}`);
}

/** What is not JSON, such as a `bigint`, could not be stored. */
export function jsonCopy(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value) || isNestedDeeper(value)) return undefined;
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** What a value is, for messages: `a string`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
