import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../agent/json';
import { BYTES } from '../../agent/limits';
import type { ReasoningPart, TextPart } from '../../agent/message';
import type { Usage } from '../../agent/model-answer';
import type { DeltaBody } from '../../agent/stream';
import { CallDrafts, pieceBytes } from './call-drafts';
import { mergeFields, REASONING_FIELDS, type ReasoningField } from './provider-data';
import { usageOf } from './usage';

/** Fields of an assistant message that mean something to us, or to nobody. */
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

/** What every call takes beside its arguments: name, id, and the frame of a message part. */
const CALL_BYTES = 200;

/** An answer as far as it has arrived, put together from the chunks of its stream. */
export class AnswerDraft {
  readonly parts: (TextPart | ReasoningPart)[] = [];
  readonly calls = new CallDrafts();
  /** Fields of the message that only the provider understands. */
  readonly fields: JsonObject = {};
  reasoningField: ReasoningField | undefined;
  refusal = '';
  finish: string | undefined;
  usage: Usage | undefined;
  model: string | undefined;
  /** Any chunk at all has arrived, and any with a choice. */
  chunks = 0;
  choices = 0;
  private bytes = 0;

  constructor(private readonly maxBytes: number = BYTES.answer) {}

  /** The answer has reached its greatest size: what comes now is left out. */
  get full(): boolean {
    return this.bytes >= this.maxBytes;
  }

  /** Takes one chunk, or a whole answer of a server that does not stream; returns what readers may see of it. */
  add(chunk: unknown): DeltaBody[] {
    if (!isJsonObject(chunk)) return [];
    this.chunks++;
    if (typeof chunk.model === 'string' && chunk.model !== '') this.model = chunk.model;
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
    if (typeof delta.refusal === 'string') this.refusal += delta.refusal;
    const pieces = Array.isArray(delta.tool_calls) ? [...delta.tool_calls] : [];
    // The form before `tool_calls`, still spoken by old servers: one call, without id and index.
    if (isJsonObject(delta.function_call)) pieces.push({ index: 0, function: delta.function_call });
    for (const piece of pieces) {
      if (!isJsonObject(piece) || !this.admit(pieceBytes(piece))) continue;
      const known = this.calls.list.length;
      out.push({ type: 'stream.tool', ...this.calls.add(piece) });
      if (this.calls.list.length > known) this.bytes += CALL_BYTES;
    }
    const fields = Object.fromEntries(Object.entries(delta).filter(([key]) => !KNOWN.has(key)));
    if (Object.keys(fields).length > 0 && this.admit(jsonBytes(fields))) mergeFields(this.fields, fields);
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
    const kept = this.fitting(text);
    if (kept === '') return '';
    const last = this.parts.at(-1);
    if (last?.type === type) last.text += kept;
    else this.parts.push({ type, text: kept });
    return kept;
  }

  private fitting(text: string): string {
    if (text === '' || this.full) return '';
    const left = this.maxBytes - this.bytes;
    const size = jsonBytes(text);
    this.bytes += size;
    return size <= left ? text : text.slice(0, Math.floor((text.length * left) / size));
  }

  /** A piece that does not fit is left out whole: half a call is of no use. */
  private admit(size: number): boolean {
    if (this.full) return false;
    this.bytes += size;
    return this.bytes <= this.maxBytes;
  }
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
