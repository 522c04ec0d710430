import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { isNestedDeeper } from '../../../../agent/values/json-depth';

/**
 * A message as the protocol describes it. Many servers are not made with an SDK: they send null for what they leave
 * out, `[]` for an empty object, or schemas without a type. The client's parser is strict: one such tool makes
 * it refuse all of them, and one such field of a result makes the outcome of a call unknown.
 */
export function mendMessage(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  const { result, error, ...rest } = message;
  if (isJsonObject(result) && (error === undefined || error === null)) return { ...rest, result: mendResult(result) };
  return isJsonObject(error) && result === null ? { ...rest, error } : message;
}

function mendResult(given: JsonObject): JsonObject {
  const result = withoutNulls(given);
  const { tools, content, capabilities, serverInfo } = result;
  if (Array.isArray(tools)) result.tools = tools.flatMap(mendTool);
  if (Array.isArray(content)) result.content = content.map(mendBlock);
  if (isJsonObject(capabilities)) result.capabilities = mendCapabilities(capabilities);
  if (isJsonObject(serverInfo)) result.serverInfo = withoutNulls(serverInfo);
  return result;
}

function mendCapabilities(capabilities: JsonObject): JsonObject {
  const entries = Object.entries(withoutNulls(capabilities));
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? {} : value]));
}

/** What is used of a tool. A tool without a name cannot be called. */
function mendTool(tool: unknown): JsonObject[] {
  if (!isJsonObject(tool) || typeof tool.name !== 'string') return [];
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return [
    {
      name,
      inputSchema: isJsonObject(inputSchema) ? mendSchema(inputSchema) : { type: 'object' },
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJsonObject(outputSchema) && outputSchema.type === 'object'
        ? { outputSchema: mendSchema(outputSchema) }
        : {}),
      ...(isJsonObject(annotations) ? { annotations: mendHints(annotations) } : {}),
    },
  ];
}

function mendSchema(schema: JsonObject): JsonObject {
  const fits = ([name, value]: [string, unknown]) =>
    (name !== 'properties' || isJsonObject(value)) &&
    (name !== 'required' || (Array.isArray(value) && value.every((one) => typeof one === 'string')));
  // The order of the fields stays: models read the schema.
  return { ...Object.fromEntries(Object.entries(schema).filter(fits)), type: 'object' };
}

/** A hint of another type than the protocol's says nothing. */
function mendHints(annotations: JsonObject): JsonObject {
  const known = (name: string, value: unknown) =>
    name.endsWith('Hint') ? typeof value === 'boolean' : name !== 'title' || typeof value === 'string';
  return Object.fromEntries(Object.entries(withoutNulls(annotations)).filter(([name, value]) => known(name, value)));
}

/** Content of an unknown type becomes text: the tool has run, and the rest of its result is of use. */
function mendBlock(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const block = withoutNulls(given);
  const { type, uri, name, resource } = block;
  if (type === 'resource' && isJsonObject(resource)) return { ...block, resource: withoutNulls(resource) };
  if (type === 'resource_link' && name === undefined && typeof uri === 'string') return { ...block, name: uri };
  if (typeof type !== 'string' || TYPES.has(type) || isNestedDeeper(block)) return block;
  return { type: 'text', text: JSON.stringify(block) };
}

const TYPES = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
