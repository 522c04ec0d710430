import type { ModelPart } from '../../../../../agent/model/adapter';
import { isJsonObject, type Json, type JsonObject } from '../../../../../agent/values/json';
import { errorOf } from '../errors';
import { TEXT_DATA, TEXTS_DATA } from '../request/prompt-form';
import { eventError } from '../said-error';
import { finishParts } from './finish-parts';
import { metadataOf } from './provider-metadata';
import { RawEvents } from './raw-events';

/** The name under which reasoning is kept, so that it is sent back to the same model only. */
const REASONING = 'reasoning';

interface OpenCall {
  index: number;
  /** Its arguments arrive in pieces. */
  inPieces: boolean;
  /** The pieces are not JSON: only the whole call is. */
  asText: boolean;
}

/** Reads the parts of one answer of an AI SDK model. Parts that a version does not know are ignored. */
export class StreamParts {
  /** Calls that have begun and not ended, by the provider's id. */
  readonly #open = new Map<string, OpenCall>();
  /** Calls that the provider runs itself, by its id. */
  readonly #foreign = new Set<string>();
  #calls = 0;
  /** Texts by the provider's id: how long they are, and what the provider gave with them. */
  readonly #texts = new Map<string, { length: number; data: JsonObject }>();
  readonly #events = new RawEvents();

  /** @throws ModelServerError, AnswerFault or what the connection threw, for a part that is an error */
  read(part: unknown): readonly ModelPart[] {
    if (!isJsonObject(part)) return [];
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#text(part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return reasoning(part);
      case 'tool-input-start':
        return this.#begin(part);
      case 'tool-input-delta':
        return this.#continue(part);
      case 'tool-call':
        return this.#end(part);
      case 'response-metadata':
        return typeof part.modelId === 'string' ? [{ type: 'model', model: part.modelId }] : [];
      case 'raw':
        return this.#events.read(part.rawValue);
      case 'finish':
        return [...this.#dataOfText(), ...this.#finish(part)];
      case 'error':
        throw errorOf(part.error, this.#events.last);
      default:
        return [];
    }
  }

  #text(part: JsonObject): ModelPart[] {
    const id = textIn(part.id);
    const known = this.#texts.get(id) ?? { length: 0, data: {} };
    this.#texts.set(id, known);
    Object.assign(known.data, metadataOf(part.providerMetadata));
    const text = textIn(part.delta);
    known.length += text.length;
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** What the provider gave with its texts. Several are told apart by their lengths: texts that follow each other are kept as one. */
  #dataOfText(): ModelPart[] {
    const [first, ...more] = [...this.#texts.values()].filter(({ length, data }) => length > 0 || !isEmpty(data));
    if (first === undefined) return [];
    if (more.length === 0) return isEmpty(first.data) ? [] : [{ type: 'data', data: { [TEXT_DATA]: first.data } }];
    const all = [first, ...more];
    if (all.every(({ data }) => isEmpty(data))) return [];
    return [{ type: 'data', data: { [TEXTS_DATA]: all } }];
  }

  /** Some packages make an ordinary end of an event that tells of an error. */
  #finish(part: JsonObject): ModelPart[] {
    const parts = finishParts(part, this.#events.usage);
    const isFailed = parts.some((each) => each.type === 'finish' && each.reason === 'failed');
    const error = isFailed ? eventError(this.#events.last) : undefined;
    if (error !== undefined) throw error;
    return this.#events.isCut ? parts.filter(({ type }) => type !== 'finish') : parts;
  }

  #begin(part: JsonObject): ModelPart[] {
    const id = textIn(part.id);
    if (part.providerExecuted === true) {
      this.#foreign.add(id);
      return [];
    }
    const call = this.#opened(id, part.inputEncoding === 'text');
    return [{ type: 'call', index: call.index, id, name: textIn(part.toolName), ...dataOf(part) }];
  }

  #continue(part: JsonObject): ModelPart[] {
    const call = this.#open.get(textIn(part.id));
    const piece = textIn(part.delta);
    if (call === undefined || call.asText || piece === '') return [];
    call.inPieces = true;
    return [{ type: 'call', index: call.index, arguments: piece, ...dataOf(part) }];
  }

  /** The whole call, which follows its pieces or comes without any. */
  #end(part: JsonObject): ModelPart[] {
    const id = textIn(part.toolCallId);
    if (part.providerExecuted === true || this.#foreign.has(id)) return [];
    const begun = this.#open.get(id);
    const { index, inPieces } = begun ?? this.#opened(id, false);
    // The same id may come again, for another call.
    this.#open.delete(id);
    const data = dataOf(part);
    if (inPieces) return data.providerData === undefined ? [] : [{ type: 'call', index, ...data }];
    const named = begun === undefined ? { name: textIn(part.toolName) } : {};
    const whole = isJsonObject(part.input) ? part.input : textIn(part.input);
    return [{ type: 'call', index, id, ...named, arguments: whole, ...data }];
  }

  #opened(id: string, asText: boolean): OpenCall {
    const call = { index: this.#calls++, inPieces: false, asText };
    this.#open.set(id, call);
    return call;
  }
}

function reasoning(part: JsonObject): ModelPart[] {
  const text = textIn(part.delta);
  const data = dataOf(part);
  // A beginning without content would join what follows to the reasoning before it.
  if (text === '' && data.providerData === undefined) return [];
  return [{ type: 'reasoning', text, id: textIn(part.id), field: REASONING, ...data }];
}

function isEmpty(data: JsonObject): boolean {
  return Object.keys(data).length === 0;
}

function dataOf({ providerMetadata }: JsonObject): { providerData?: JsonObject } {
  const providerData = metadataOf(providerMetadata);
  return providerData === undefined ? {} : { providerData };
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
