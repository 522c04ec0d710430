import type { JsonSchema } from '../../agent/protocol/manifest';
import { visibleJson } from '../../agent/values/visible';
import { takesText } from '../waits/answer-text';

/** A JSON Schema in words, or as JSON if there are none for it. */
export function schemaWords(schema: JsonSchema): string {
  const { enum: values, type, properties, items } = schema as JsonSchema & { properties?: Record<string, JsonSchema> };
  if (Array.isArray(values)) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (type === 'object' && properties !== undefined) {
    const needed = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(properties).map(
      ([name, field]) => `\`${name}\` (${schemaWords(field)}${needed.includes(name) ? '' : ', optional'})`,
    );
    return `JSON, an object with ${fields.join(', ')}`;
  }
  if (type === 'array') return `JSON, a list of ${isSchema(items) ? schemaWords(items) : 'anything'}`;
  if (typeof type === 'string' && Object.hasOwn(WORDS, type)) return `${WORDS[type]}${limits(schema)}`;
  return takesText(schema) ? `a text${limits(schema)}` : `JSON that fits ${visibleJson(schema)}`;
}

const WORDS: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

function limits({ minimum, maximum, minLength, maxLength, format, pattern }: JsonSchema): string {
  const said = [
    ...(typeof format === 'string' ? [`as ${format}`] : []),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
    ...(minLength === undefined ? [] : [`of at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`of at most ${maxLength} characters`]),
    ...(typeof pattern === 'string' && format === undefined ? [`that fits /${pattern}/`] : []),
  ];
  return said.length === 0 ? '' : ` ${said.join(' ')}`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
