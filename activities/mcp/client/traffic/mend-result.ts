import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { mendBlock, withoutNulls } from './mend-content';

/**
 * A result as the protocol describes it. Many servers are not made with an SDK: they send null for what they leave out,
 * `[]` for an empty object, or schemas without a type. The client's parser is strict: one such tool makes it refuse all
 * of them, and one such field of a result makes the outcome of a call unknown.
 */
export function mendResult(given: JsonObject): JsonObject {
  const { _meta, ...result } = withoutNulls(given);
  const { tools, capabilities, serverInfo } = result;
  if (Array.isArray(tools)) result.tools = tools.flatMap(mendTool);
  if (isJsonObject(capabilities)) result.capabilities = mendCapabilities(capabilities);
  if (isJsonObject(serverInfo)) result.serverInfo = withoutNulls(serverInfo);
  return isJsonObject(_meta) ? { ...result, _meta } : result;
}

/** The result of a tool: what a model can read of it is content. */
export function mendCallResult(given: Json): JsonObject {
  if (!isJsonObject(given)) return { content: mendContent(given) };
  const result = mendResult(given);
  const { content, isError, structuredContent, ...others } = result;
  const { resultType, _meta, ...fields } = others;
  // It asks for something.
  if (resultType !== undefined && resultType !== 'complete') return result;
  const bare = content === undefined && structuredContent === undefined && Object.keys(fields).length > 0;
  const structured = bare ? fields : structuredContent;
  return {
    ...others,
    content: content === undefined ? [] : mendContent(content),
    ...(structured === undefined ? {} : { structuredContent: mendStructure(structured, resultType !== undefined) }),
    ...(isError === undefined ? {} : { isError: mendFlag(isError) }),
  };
}

function mendContent(content: Json): JsonObject[] {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.filter((block) => block !== null).map(mendBlock);
}

/** Since 2026 it may be any JSON, before that it was an object. */
function mendStructure(structure: Json, any: boolean): Json {
  return any || isJsonObject(structure) ? structure : { result: structure };
}

function mendFlag(flag: Json): Json {
  if (flag === 'true' || flag === 1) return true;
  return flag === 'false' || flag === 0 ? false : flag;
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
