import { BYTES } from '../../../agent/limits';
import type { ModelPart } from '../../../agent/model/adapter';
import type { Usage } from '../../../agent/model/cost/usage';
import type { ReasoningPart, TextPart } from '../../../agent/model/message';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { type JsonObject, jsonBytes } from '../../../agent/values/json';
import { isReported } from '../usage/reported';
import { CallDrafts } from './call-drafts';
import { growthOf, mergeFields, shallow } from './merge-fields';
import { type ReadPart, ThinkTags } from './think-tags';

/** Bytes of a part beside its text. */
const PART_BYTES = 32;
/** Characters of a model's name that are kept. */
const MAX_MODEL_NAME = 256;
/** If a text does not fit, it is kept or left out in blocks of this many characters. */
const BLOCK = 256;

/** An answer as far as it has arrived, built from the parts that an adapter yields. */
export class AnswerDraft {
  readonly parts: (TextPart | ReasoningPart)[] = [];
  readonly calls: CallDrafts;
  /** Fields of the message that only the provider understands. */
  readonly fields: JsonObject = {};
  /** The field of a chat completion that the reasoning came in. */
  reasoningField: string | undefined;
  refusal = '';
  finish: Extract<ModelPart, { type: 'finish' }> | undefined;
  /** Tokens as the provider reported them, plausible or not. */
  usage: Usage | undefined;
  model: string | undefined;
  /** How often parts have arrived, and how often parts of the answer itself. */
  arrivals = 0;
  answers = 0;
  /** Approximate size of what is kept, as JSON. */
  bytes = 0;
  readonly #tags = new ThinkTags();
  /** Parts of reasoning by the provider's id. */
  readonly #reasoning = new Map<string, ReasoningPart>();

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

  /** Takes parts that arrived together; returns the deltas for readers. */
  add(parts: readonly ModelPart[]): DeltaBody[] {
    this.arrivals++;
    const out: DeltaBody[] = [];
    for (const part of parts) for (const read of this.#tags.read(part)) this.#take(read, out);
    if (parts.some(({ type }) => type !== 'model' && type !== 'usage')) this.answers++;
    return out;
  }

  /** Nothing more arrives; returns the deltas for what was held back. */
  close(): DeltaBody[] {
    const out: DeltaBody[] = [];
    for (const read of this.#tags.close()) this.#take(read, out);
    return out;
  }

  #take(part: ReadPart, out: DeltaBody[]): void {
    switch (part.type) {
      case 'text': {
        const last = this.parts.at(-1);
        const text = this.#append('text', part.text, last?.type === 'text' ? last : undefined);
        if (text !== '') out.push({ type: 'stream.text', text });
        break;
      }
      case 'text was reasoning':
        this.#recast(part.tag, out);
        break;
      case 'reasoning': {
        const text = this.#reason(part);
        if (text !== '') out.push({ type: 'stream.reasoning', text });
        break;
      }
      case 'refusal':
        this.refusal += this.#fitting(part.text);
        break;
      case 'call': {
        if (this.full) break;
        const planned = this.calls.plan(part, this.arrivals);
        if (this.#admit(planned.bytes))
          out.push({ type: 'stream.tool', ...this.calls.take(planned, this.parts.length) });
        break;
      }
      case 'data': {
        const data = shallow(part.data);
        if (Object.keys(data).length > 0 && this.#admit(growthOf(this.fields, data))) mergeFields(this.fields, data);
        break;
      }
      case 'model':
        this.model = part.model.slice(0, MAX_MODEL_NAME);
        break;
      case 'usage':
        if (isReported(part.usage)) this.usage = part.usage;
        break;
      case 'finish':
        this.finish = part;
        break;
    }
  }

  /** Readers have seen the text as an answer: it is withdrawn, and shown as what it is. */
  #recast(tag: number, out: DeltaBody[]): void {
    const said = this.parts.pop();
    if (said === undefined) return;
    const text = said.text.slice(0, -tag).trim();
    if (text !== '') this.parts.push({ type: 'reasoning', text });
    out.push({ type: 'stream.clear' });
    if (text !== '') out.push({ type: 'stream.reasoning', text });
  }

  #reason({ text, id, providerData = {}, field }: Extract<ModelPart, { type: 'reasoning' }>): string {
    if (field !== undefined) this.reasoningField = field;
    const last = this.parts.at(-1);
    const known = id === undefined ? (last?.type === 'reasoning' ? last : undefined) : this.#reasoning.get(id);
    const kept = this.#append('reasoning', text, known);
    const data = shallow(providerData);
    const hasData = Object.keys(data).length > 0 && this.#admit(growthOf(known?.providerData ?? {}, data));
    // Data may come without a text: some providers show only a signature.
    if (known === undefined && kept === '' && hasData) this.parts.push({ type: 'reasoning', text: '' });
    const part = known ?? this.parts.at(-1);
    if (part?.type !== 'reasoning' || (kept === '' && !hasData)) return kept;
    if (id !== undefined) this.#reasoning.set(id, part);
    if (!hasData) return kept;
    part.providerData ??= {};
    mergeFields(part.providerData, data);
    return kept;
  }

  /** Adds a text to a part, or as a part. */
  #append(type: 'text' | 'reasoning', text: string, part: TextPart | ReasoningPart | undefined): string {
    if (part === undefined && text !== '') this.bytes += PART_BYTES;
    const kept = this.#fitting(text);
    if (kept === '') return '';
    if (part === undefined) this.parts.push({ type, text: kept });
    else part.text += kept;
    return kept;
  }

  /** As much of a text as fits. */
  #fitting(text: string): string {
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
  #admit(size: number): boolean {
    if (this.full) return false;
    this.bytes += size;
    return this.bytes <= this.maxBytes;
  }
}

/** Without the quotes: texts that come in pieces are joined. */
function bytesIn(text: string): number {
  return jsonBytes(text) - 2;
}
