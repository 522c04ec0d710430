import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';

/** One input of a form. */
export interface Field {
  name: string;
  label: string;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';
  required: boolean;
  description?: string;
  /** Of a `choice`. */
  choices?: Json[];
}

/** What is in the inputs: texts, and whether a box is ticked. */
export type Draft = { [name: string]: string | boolean };

export type Read = { value: JsonObject } | { problems: { [name: string]: string } };

/** The inputs for an object with this JSON Schema; `undefined` for any other schema: its value is typed as JSON. */
export function fieldsOfSchema(schema: JsonObject): Field[] | undefined {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return undefined;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => {
    const of = isJsonObject(property) ? property : {};
    const choices = Array.isArray(of.enum) ? of.enum : undefined;
    return {
      name,
      label: typeof of.title === 'string' ? of.title : name,
      kind: choices === undefined ? kindOfType(of.type) : 'choice',
      required: needed.includes(name),
      ...(typeof of.description === 'string' ? { description: of.description } : {}),
      ...(choices === undefined ? {} : { choices }),
    };
  });
}

/** The inputs for arguments without a schema, by the types of their values. */
export function fieldsOfValue(value: JsonObject): Field[] {
  return Object.entries(value).map(([name, of]) => ({ name, label: name, kind: kindOfValue(of), required: true }));
}

/** The inputs filled with a value. */
export function draftOf(fields: readonly Field[], value: JsonObject): Draft {
  const entries = fields.map(({ name, kind }) => [name, inputOf(kind, value[name])] as const);
  return Object.fromEntries(entries);
}

/** The value that the inputs stand for, or what is wrong with each of them. Empty optional inputs are left out. */
export function readFields(fields: readonly Field[], draft: Draft): Read {
  const value: JsonObject = {};
  const problems: { [name: string]: string } = {};
  for (const field of fields) {
    const typed = draft[field.name] ?? '';
    if ((typed === '' || typed === false) && !field.required) continue;
    const read = readOne(field, typed);
    if ('problem' in read) problems[field.name] = read.problem;
    else value[field.name] = read.value;
  }
  return Object.keys(problems).length === 0 ? { value } : { problems };
}

/** A JSON object that a person typed. */
export function objectOf(text: string): { value: JsonObject } | { problem: string } {
  const read = parsed(text);
  if ('problem' in read) return read;
  return isJsonObject(read.value)
    ? { value: read.value }
    : { problem: 'Expected a JSON object, such as {"name": "x"}.' };
}

export function parsed(text: string): { value: Json } | { problem: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readOne({ kind, choices }: Field, typed: string | boolean): { value: Json } | { problem: string } {
  if (typeof typed === 'boolean') return { value: typed };
  switch (kind) {
    case 'text':
      return { value: typed };
    case 'boolean':
      return { value: typed === 'true' };
    case 'number':
    case 'integer': {
      const number = Number(typed);
      if (typed.trim() === '' || !Number.isFinite(number)) return { problem: 'Expected a number.' };
      return kind === 'number' || Number.isInteger(number)
        ? { value: number }
        : { problem: 'Expected a whole number.' };
    }
    case 'choice': {
      const chosen = choices?.find((choice) => choiceText(choice) === typed);
      return chosen === undefined ? { problem: 'Choose one.' } : { value: chosen };
    }
    case 'json':
      return typed.trim() === '' ? { problem: 'Expected JSON.' } : parsed(typed);
  }
}

export function choiceText(choice: Json): string {
  return typeof choice === 'string' ? choice : JSON.stringify(choice);
}

function inputOf(kind: Field['kind'], value: Json | undefined): string | boolean {
  if (kind === 'boolean') return value === true;
  if (value === undefined) return '';
  if (kind === 'choice') return choiceText(value);
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

function kindOfType(type: Json | undefined): Field['kind'] {
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}

function kindOfValue(value: Json): Field['kind'] {
  const type = typeof value;
  return type === 'string' ? 'text' : type === 'number' || type === 'boolean' ? type : 'json';
}
