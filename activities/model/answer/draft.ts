import { BYTES } from '../../../agent/limits';
import type { Usage } from '../../../agent/model/answer';
import type { ReasoningPart, TextPart } from '../../../agent/model/message';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../../agent/values/json';
import { isNestedDeeper } from '../../../agent/values/json-depth';
import { CallDrafts } from './call-drafts';
import { growthOf, mergeFields } from './merge-fields';
import { REASONING_FIELDS, type ReasoningField } from './provider-data';
import { usageOf } from './usage';

/** Fields of an assistant message that we read, or that have no meaning. */
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

/** Bytes of a part beside its text. */
const PART_BYTES = 32;
/** Characters of a model's name that are kept. */
const MAX_MODEL_NAME = 256;
/** If a text does not fit, it is kept or left out in blocks of this many characters. */
const BLOCK = 256;

/** An answer as far as it has arrived, built from the chunks of its stream. */
export class AnswerDraft {
  readonly parts: (TextPart | ReasoningPart)[] = [];
  readonly calls: CallDrafts;
  /** Fields of the message that only the provider understands. */
  readonly fields: JsonObject = {};
  reasoningField: ReasoningField | undefined;
  refusal = '';
  finish: string | undefined;
  usage: Usage | undefined;
  model: string | undefined;
  /** Chunks that have arrived, and those with a choice. */
  chunks = 0;
  choices = 0;
  /** Approximate size of what is kept, as JSON. */
  bytes = 0;

  /** @param tools names as the model knows them */
  constructor(
    tools: readonly string[] = [],
    readonly maxBytes: number = BYTES.answer,
  ) {
    this.calls = new CallDrafts(tools);
  }

  /** The answer has reached its maximum size: the rest is left out. */
  get full(): boolean {
    return this.bytes >= this.maxBytes;
  }

  /** Takes one chunk, or the whole answer of a server that does not stream; returns the deltas for readers. */
  add(chunk: unknown): DeltaBody[] {
    if (!isJsonObject(chunk)) return [];
    this.chunks++;
    if (typeof chunk.model === 'string' && chunk.model !== '') this.model = chunk.model.slice(0, MAX_MODEL_NAME);
    this.usage = usageOf(chunk.usage) ?? this.usage;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isJsonObject(choice)) return [];
    this.choices++;
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.finish = choice.finish_reason;
    const delta = choice.delta ?? choice.message;
    return isJsonObject(delta) ? this.addDelta(delta) : [];
  }

  private addDelta(delta: JsonObject): DeltaBody[] {
    const out: DeltaBody[] = [];
    const thought = this.addPart('reasoning', this.reasoningIn(delta));
    if (thought !== '') out.push({ type: 'stream.reasoning', text: thought });
    const said = this.addPart('text', contentText(delta.content));
    if (said !== '') out.push({ type: 'stream.text', text: said });
    if (typeof delta.refusal === 'string') this.refusal += this.fitting(delta.refusal);
    const pieces = Array.isArray(delta.tool_calls) ? [...delta.tool_calls] : [];
    // The form before `tool_calls`, still used by old servers: one call, without id and index.
    if (isJsonObject(delta.function_call)) pieces.push({ index: 0, function: delta.function_call });
    for (const piece of pieces) {
      if (this.full) break;
      if (!isJsonObject(piece)) continue;
      const planned = this.calls.plan(piece, this.chunks);
      if (this.admit(planned.bytes)) out.push({ type: 'stream.tool', ...this.calls.take(planned) });
    }
    const fields = fieldsOf(delta);
    if (Object.keys(fields).length > 0 && this.admit(growthOf(this.fields, fields))) mergeFields(this.fields, fields);
    return out;
  }

  private reasoningIn(delta: JsonObject): string {
    // Some servers send the same text under both names: only the first counts.
    const field = REASONING_FIELDS.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
    if (field === undefined) return contentText(delta.reasoning_details);
    this.reasoningField = field;
    return delta[field] as string;
  }

  private addPart(type: 'text' | 'reasoning', text: string): string {
    const last = this.parts.at(-1);
    const joins = last?.type === type;
    if (!joins && text !== '') this.bytes += PART_BYTES;
    const kept = this.fitting(text);
    if (kept === '') return '';
    if (joins) last.text += kept;
    else this.parts.push({ type, text: kept });
    return kept;
  }

  /** As much of a text as fits. */
  private fitting(text: string): string {
    if (text === '' || this.full) return '';
    const size = bytesIn(text);
    const left = this.maxBytes - this.bytes;
    this.bytes += size;
    if (size <= left) return text;
    let end = 0;
    for (let bytes = 0; end < text.length; end += BLOCK) {
      bytes += bytesIn(text.slice(end, end + BLOCK));
      if (bytes > left) break;
    }
    return text.slice(0, end);
  }

  /** A piece that does not fit is left out entirely: half a call is useless. */
  private admit(size: number): boolean {
    if (this.full) return false;
    this.bytes += size;
    return this.bytes <= this.maxBytes;
  }
}

/** Leaves out fields that are nested deeper than a run can read: no provider needs them to continue. */
function fieldsOf(delta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(delta).filter(([key, value]) => !KNOWN.has(key) && !isNestedDeeper(value)));
}

/** Without the quotes: texts that come in pieces are joined. */
function bytesIn(text: string): number {
  return jsonBytes(text) - 2;
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
