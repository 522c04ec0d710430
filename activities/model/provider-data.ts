import { hashText } from '../../agent/hash';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../agent/json';
import type { ToolUsePart } from '../../agent/message';
import type { ModelConfig } from '../../agent/model-config';

/** The fields in which servers stream reasoning as a text. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** What a message keeps for its provider, see {@link Message.providerData}. It is opaque to everybody else. */
export interface ProviderData {
  /** Names server and model: no other server is bothered with the data. */
  origin: string;
  /** Fields of the assistant message that only the provider understands. */
  message?: JsonObject;
  /** The field in which the reasoning came; its text is kept once, in the message's parts. */
  reasoning?: ReasoningField;
  /** Fields of single calls, such as signatures. */
  calls?: CallData[];
}

/**
 * Fields of one call. It is found again by id, else by name and arguments, never by its place: calls of low priority
 * leave the message.
 */
export interface CallData {
  id?: string;
  /** As it is sent to the model. */
  name: string;
  /** Hash of the canonical JSON of the arguments. */
  input: string;
  fields: JsonObject;
}

export function originOf(config: Pick<ModelConfig, 'baseUrl' | 'model'>): string {
  return hashText(`${config.baseUrl} ${config.model}`);
}

/** The data that may be echoed to this model; `undefined` where there is none or another model gave it. */
export function providerDataFor(
  config: Pick<ModelConfig, 'baseUrl' | 'model'>,
  data: JsonObject | undefined,
): ProviderData | undefined {
  if (data === undefined) return undefined;
  return data.origin === originOf(config) ? (data as unknown as ProviderData) : undefined;
}

export function hashOfInput(input: JsonObject): string {
  return hashText(canonicalJson(input));
}

/** Takes out of `left` the fields that belong to a call, so that an equal call later in the message gets its own. */
export function takeCallFields(left: CallData[], part: ToolUsePart, sentName: string): JsonObject | undefined {
  const at = left.findIndex(
    ({ id, name, input }) =>
      id === part.providerId && name === sentName && (id !== undefined || input === hashOfInput(part.input)),
  );
  return at < 0 ? undefined : left.splice(at, 1)[0]?.fields;
}

/**
 * Puts the opaque fields of one chunk to those of the chunks before it: lists grow, objects are merged, anything else is
 * replaced. Pieces of one streamed list entry (same `type` and `index`) are joined, since providers want it back whole.
 */
export function mergeFields(into: JsonObject, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    const old = into[key];
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    if (Array.isArray(old) && Array.isArray(value)) into[key] = value.reduce<Json[]>(joinEntry, old);
    else if (isJsonObject(old) && isJsonObject(value)) into[key] = { ...old, ...value };
    else into[key] = Array.isArray(value) ? value.reduce<Json[]>(joinEntry, []) : value;
  }
}

const GROWING = new Set(['text', 'summary', 'data', 'thinking']);

function joinEntry(list: Json[], entry: Json): Json[] {
  const last = list.at(-1);
  const same =
    isJsonObject(last) &&
    isJsonObject(entry) &&
    last.type === entry.type &&
    entry.index !== undefined &&
    last.index === entry.index;
  if (!same) return [...list, entry];
  const joined: JsonObject = { ...last };
  for (const [key, value] of Object.entries(entry)) {
    const old = joined[key];
    if (GROWING.has(key) && typeof old === 'string' && typeof value === 'string') joined[key] = old + value;
    else if (value !== null) joined[key] = value;
  }
  return [...list.slice(0, -1), joined];
}
