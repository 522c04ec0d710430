import type { JsonSchema } from '../../agent/protocol/manifest';
import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import { excessOf } from '../json-extent';
import { checkAgainstSchema } from '../schemas/check';
import { coerce, LEFT_OUT, type Misfit } from './coerce';

/**
 * `note` says why the schema could not be used: the arguments then count as valid. `unchecked`: checking them would
 * have been too expensive.
 */
export type CoercedArguments =
  | { ok: true; value: JsonObject; note?: string }
  | { ok: false; problem: string; unchecked?: true };

/** Numbers as JSON writes them, without exponents or leading zeros: ids look like that. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** Digits that a double holds exactly. */
const MAX_DIGITS = 15;

/**
 * Arguments that fit the schema of the tool, either unchanged or after correcting mistakes that models make: `null` for
 * an optional field, or a text instead of a number or a boolean, or one that holds the JSON of an object or a list. If
 * the schema accepts the given type, or the corrected whole still does not fit, nothing changes and the original
 * problem stays.
 */
export function coerceArguments(schema: JsonSchema, input: JsonObject): CoercedArguments {
  const { value, check } = coerce(schema, input, meantByModel);
  if (value === input) return check.ok ? { ...check, value: input } : check;
  if (check.ok && check.note === undefined && isJsonObject(value)) return { ok: true, value };
  const given = checkAgainstSchema(schema, input);
  return given.ok ? { ...given, value: input } : given;
}

function meantByModel({ value, wanted, isField }: Misfit): Json | typeof LEFT_OUT | undefined {
  if (wanted.size === 0) return undefined;
  if (value === null) return isField ? LEFT_OUT : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (wanted.has('number') && NUMBER.test(text)) {
    return text.replace(/\D/g, '').length <= MAX_DIGITS ? Number(text) : undefined;
  }
  if (wanted.has('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (wanted.has('object') && text.startsWith('{')) return jsonIn(text);
  if (wanted.has('array') && text.startsWith('[')) return jsonIn(text);
  return undefined;
}

function jsonIn(text: string): Json | undefined {
  if (excessOf(text) !== undefined) return undefined;
  try {
    const json: Json = JSON.parse(text);
    // A reviver would overflow the stack.
    if (isNestedDeeper(json)) return undefined;
    return JSON.parse(text, (_key, value) => {
      if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw new Error('no JSON number');
      return value;
    });
  } catch {
    return undefined;
  }
}
