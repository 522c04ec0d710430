import { isJsonObject, type Json, type JsonObject } from '../../agent/json';
import type { JsonSchema } from '../../agent/manifest';

const YES = new Set(['true', 'yes', 'y', 'on']);
const NO = new Set(['false', 'no', 'n', 'off']);
/** What says to a form without fields that it is done. */
const DONE = new Set([...YES, 'ok', 'done', '']);
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * What a person must have meant whose answer does not fit: people type texts. Only where the schema leaves no doubt; the
 * answer as it is otherwise. Whether the outcome fits is for the caller to check.
 */
export function coerceReply(schema: JsonSchema, answer: Json): Json {
  const choice = typeof answer === 'object' ? undefined : chosen(schema, String(answer));
  if (choice !== undefined) return choice;
  if (typeof answer === 'string') return fromText(schema, answer);
  if (hasType(schema, 'object') && isJsonObject(answer)) return fields(schema, answer);
  if (hasType(schema, 'array') && Array.isArray(answer)) return answer.map((one) => coerceReply(itemsOf(schema), one));
  const simple = typeof answer === 'number' || typeof answer === 'boolean';
  if (simple && hasType(schema, 'object')) return onlyField(schema, answer) ?? answer;
  return simple && hasType(schema, 'string') ? String(answer) : answer;
}

function fromText(schema: JsonSchema, text: string): Json {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (hasType(schema, 'object')) {
    if (trimmed.startsWith('{')) return parsed(schema, text, trimmed);
    if (Object.keys(propertiesOf(schema)).length === 0 && DONE.has(word)) return {};
    return onlyField(schema, text) ?? text;
  }
  if (hasType(schema, 'array')) {
    if (trimmed.startsWith('[')) return parsed(schema, text, trimmed);
    const words = trimmed === '' ? [] : trimmed.split(',');
    return words.map((one) => coerceReply(itemsOf(schema), one.trim()));
  }
  if ((hasType(schema, 'number') || hasType(schema, 'integer')) && NUMBER.test(trimmed)) {
    return Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
  }
  if (hasType(schema, 'boolean') && YES.has(word)) return true;
  if (hasType(schema, 'boolean') && NO.has(word)) return false;
  return hasType(schema, 'string') ? trimmed : text;
}

/** The one value of a choice that a person named by its value or its title, in whatever case. */
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

/** A form with one field is answered by the bare value of it. */
function onlyField(schema: JsonSchema, answer: Json): JsonObject | undefined {
  const [field, ...others] = Object.entries(propertiesOf(schema));
  if (field === undefined || others.length > 0) return undefined;
  const [name, property] = field;
  return { [name]: isJsonObject(property) ? coerceReply(property, answer) : answer };
}

function fields(schema: JsonSchema, answer: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isJsonObject(property) ? coerceReply(property, value) : value];
    }),
  );
}

/** A value that was typed as JSON. */
function parsed(schema: JsonSchema, text: string, json: string): Json {
  try {
    // `1e999` is read as what JSON cannot say.
    return coerceReply(
      schema,
      JSON.parse(json, (_key, one) => (typeof one === 'number' && !Number.isFinite(one) ? null : one)),
    );
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

function itemsOf({ items }: JsonSchema): JsonSchema {
  return isJsonObject(items) ? items : {};
}
