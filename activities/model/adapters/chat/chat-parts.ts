import type { FinishReason, ModelPart } from '../../../../agent/model/adapter';
import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { chatUsage } from './chat-usage';

/** The fields in which servers stream reasoning as text. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Fields of an assistant message that we read, or that have no meaning. Others are sent back. */
const KNOWN = new Set<string>([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'annotations',
  ...REASONING_FIELDS,
]);

/** Fields of a piece of a call that we read. */
const KNOWN_OF_CALL = new Set(['index', 'id', 'type', 'function']);

/** What the finish reasons of different servers mean; any other means an ordinary end. */
const FINISH: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'refused'],
  ['refusal', 'refused'],
  ['safety', 'refused'],
  ['error', 'failed'],
  ['insufficient_system_resource', 'failed'],
  ['function_call_filter', 'failed'],
]);

/** What a finish reason means. Gemini's endpoint adds a detail to some: `content_filter: RECITATION`. */
const meaningOf = (said: string): FinishReason => FINISH.get(said.split(':', 1)[0] ?? said) ?? 'stop';

/** Reads the chunks of one stream. MiniMax repeats the whole message in its last chunk, in the place of a delta. */
export function chunkReader(): (chunk: unknown) => ModelPart[] {
  let hasAnswer = false;
  return (chunk) => {
    const parts = chatParts(chunk, hasAnswer);
    hasAnswer ||= parts.some(isOfAnswer);
    return parts;
  };
}

const isOfAnswer = (part: ModelPart) => part.type === 'call' || ('text' in part && part.text !== '');

/**
 * The parts of one chunk of a chat completion, or of the whole completion of a server that does not stream. `repeats`: a
 * message was sent in deltas before.
 */
export function chatParts(chunk: unknown, repeats = false): ModelPart[] {
  if (!isJsonObject(chunk)) return [];
  const parts: ModelPart[] = [];
  if (typeof chunk.model === 'string' && chunk.model !== '') parts.push({ type: 'model', model: chunk.model });
  const usage = chatUsage(chunk.usage);
  if (usage !== undefined) parts.push({ type: 'usage', usage });
  const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isJsonObject(choice)) return parts;
  const delta = choice.delta ?? (repeats ? undefined : choice.message);
  if (isJsonObject(delta)) addDelta(delta, parts);
  const { finish_reason: said } = choice;
  // Some gateways write `null` as a text.
  if (typeof said === 'string' && said !== '' && said !== 'null') {
    parts.push({ type: 'finish', reason: meaningOf(said), said });
  }
  return parts;
}

function addDelta(delta: JsonObject, parts: ModelPart[]): void {
  // Some servers send the same text under both names: only the first counts.
  const field = REASONING_FIELDS.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
  if (field !== undefined) parts.push({ type: 'reasoning', text: delta[field] as string, field });
  else if (delta.reasoning_details !== undefined)
    parts.push({ type: 'reasoning', text: contentText(delta.reasoning_details) });
  addContent(delta.content, parts);
  if (typeof delta.refusal === 'string') parts.push({ type: 'refusal', text: delta.refusal });
  const pieces = Array.isArray(delta.tool_calls) ? [...delta.tool_calls] : [];
  // The form before `tool_calls`, still used by old servers: one call, without id and index.
  if (isJsonObject(delta.function_call)) pieces.push({ index: 0, function: delta.function_call });
  for (const piece of pieces) if (isJsonObject(piece)) parts.push(callPiece(piece));
  const data = others(delta, KNOWN);
  if (data !== undefined) parts.push({ type: 'data', data });
}

/** A content may be a list of parts, with those of Mistral's reasoning among them. */
function addContent(content: Json | undefined, parts: ModelPart[]): void {
  if (!Array.isArray(content)) {
    parts.push({ type: 'text', text: contentText(content) });
    return;
  }
  for (const part of content) {
    const isThought = isJsonObject(part) && part.type === 'thinking';
    if (isThought) parts.push({ type: 'reasoning', text: contentText(part.thinking) });
    else parts.push({ type: 'text', text: contentText([part]) });
  }
}

/** One entry of `tool_calls`. */
export function callPiece(piece: JsonObject): Extract<ModelPart, { type: 'call' }> {
  const { index, id } = piece;
  const { name, arguments: more } = isJsonObject(piece.function) ? piece.function : {};
  const providerData = others(piece, KNOWN_OF_CALL);
  return {
    type: 'call',
    ...(typeof index === 'number' ? { index } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    // Some servers send the arguments as an object instead of a text.
    ...(typeof more === 'string' || isJsonObject(more) ? { arguments: more } : {}),
    ...(providerData === undefined ? {} : { providerData }),
  };
}

function others(fields: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const found = Object.entries(fields).filter(([key]) => !known.has(key));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The text of a content that may be a list of parts, as some servers send it. */
function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isJsonObject(part) ? (part.text ?? part.summary) : ''))
    .filter((text) => typeof text === 'string')
    .join('');
}
