import type { JsonSchema } from '../../agent/protocol/manifest';
import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import { type Coerced, coerce } from '../coercion/coerce';

const YES = new Set(['true', 'yes', 'y', 'on']);
const NO = new Set(['false', 'no', 'n', 'off']);
/** Words that confirm a form without fields. */
const DONE = new Set([...YES, 'ok', 'done', '']);
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * What a person must have meant with an answer that does not fit: people type text. Only if the schema leaves no doubt;
 * otherwise the answer as it is.
 */
export function coerceReply(schema: JsonSchema, answer: Json): Coerced {
  return coerce(schema, answer, ({ value, schemas }) => {
    for (const one of schemas) {
      const meant = meantByPerson(one, value);
      if (meant !== value) return meant;
    }
    return undefined;
  });
}

function meantByPerson(schema: JsonSchema, answer: Json): Json {
  if (typeof answer === 'object') return answer;
  const choice = chosen(schema, String(answer));
  if (choice !== undefined) return choice;
  if (typeof answer === 'string') return fromText(schema, answer);
  if (hasType(schema, 'object')) return onlyField(schema, answer) ?? answer;
  return hasType(schema, 'string') ? String(answer) : answer;
}

function fromText(schema: JsonSchema, text: string): Json {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (hasType(schema, 'object')) {
    if (trimmed.startsWith('{')) return parsed(text, trimmed);
    if (Object.keys(propertiesOf(schema)).length === 0 && DONE.has(word)) return {};
    return onlyField(schema, text) ?? text;
  }
  if (hasType(schema, 'array')) {
    if (trimmed.startsWith('[')) return parsed(text, trimmed);
    const words = trimmed === '' ? [] : trimmed.split(',');
    return words.map((one) => one.trim());
  }
  if ((hasType(schema, 'number') || hasType(schema, 'integer')) && NUMBER.test(trimmed)) {
    return Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
  }
  if (hasType(schema, 'boolean') && YES.has(word)) return true;
  if (hasType(schema, 'boolean') && NO.has(word)) return false;
  return hasType(schema, 'string') ? trimmed : text;
}

/** The only value of a choice that a person named by its value or its title, in any case. */
function chosen(schema: JsonSchema, text: string): Json | undefined {
  const word = text.trim().toLowerCase();
  const values = choicesOf(schema)
    .filter(({ names }) => names.some((name) => name.toLowerCase() === word))
    .map(({ value }) => value);
  return values.length === 1 ? values[0] : undefined;
}

function choicesOf({ enum: values, enumNames, oneOf, anyOf }: JsonSchema): { value: Json; names: string[] }[] {
  const listed = Array.isArray(values) ? values : [];
  const names: Json[] = Array.isArray(enumNames) ? enumNames : [];
  const titled = [oneOf, anyOf].flatMap((options) => (Array.isArray(options) ? options : [])).filter(isJsonObject);
  return [
    ...listed.map((value, i) => ({ value, names: namesOf(value, names[i]) })),
    ...titled
      .filter((option) => option.const !== undefined)
      .map(({ const: value = null, title }) => ({ value, names: namesOf(value, title) })),
  ];
}

function namesOf(value: Json, title: Json | undefined): string[] {
  return [value, title].flatMap((one) => (one === undefined || typeof one === 'object' ? [] : [String(one)]));
}

/** A form with one field may be answered with the bare value. */
function onlyField(schema: JsonSchema, answer: Json): JsonObject | undefined {
  const [field, ...others] = Object.keys(propertiesOf(schema));
  if (field === undefined || others.length > 0) return undefined;
  return { [field]: answer };
}

/** A value that was typed as JSON. */
function parsed(text: string, json: string): Json {
  try {
    // `1e999` parses to a number that JSON cannot express.
    if (isNestedDeeper(JSON.parse(json))) return text;
    return JSON.parse(json, (_key, one) => (typeof one === 'number' && !Number.isFinite(one) ? null : one));
  } catch {
    return text;
  }
}

function hasType({ type }: JsonSchema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function propertiesOf({ properties }: JsonSchema): JsonObject {
  return isJsonObject(properties) ? properties : {};
}
