import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';
import { visibleJson } from '../../agent/values/visible';
import type { ServedAgent } from '../../workers/worker-process';

/** The words of the command that starts an agent. */
export function startWords({ name, mode, inputSchema }: ServedAgent): string[] {
  return mode === 'conversation' ? ['chat', name] : ['run', name, inputExample(inputSchema)];
}

/** An input as it is typed, to be filled in. */
export function inputExample(schema: JsonObject | undefined): string {
  return schema === undefined || schema.type === 'string' ? '…' : visibleJson(example(schema));
}

const EXAMPLES: { readonly [type: string]: Json } = { string: '…', number: 0, integer: 0, boolean: true, array: [] };

/** A value with the form of a schema, to be filled in. */
function example(schema: JsonObject): Json {
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  if (schema.const !== undefined) return schema.const;
  if (schema.type !== 'object') return EXAMPLES[String(schema.type)] ?? '…';
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, isJsonObject(field) ? example(field) : '…']));
}
