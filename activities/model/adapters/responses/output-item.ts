import type { ModelPart } from '../../../../agent/model/adapter';
import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import type { SaidMessage } from './answer-items';

/** An item of the output, as far as it was streamed. */
export interface OutputItem {
  /** Its place among the items that have begun. */
  index: number;
  type: Json | undefined;
  /** It came whole. */
  isDone?: true;
  /** Characters of it that were streamed. */
  length: number;
  /** What was streamed of its text or its arguments, by its place in the content. */
  streamed: Map<Json, string>;
  /** Text or reasoning of another item came after it: nothing more can be added to its text. */
  isPast?: true;
  /** Its call was announced. */
  isNamed?: true;
  /** What is shown of its reasoning. */
  shown?: 'summary' | 'content';
  /** The paragraph of its reasoning that grows. */
  paragraph?: Json;
}

/** Text or arguments that have arrived, as an event names them. */
interface Arrived {
  given: string;
  /** The part of the content. */
  place?: Json | undefined;
  /** It repeats what may have come in pieces. */
  whole?: 'whole' | undefined;
}

/** Adds text or arguments to an item; returns what is new of them. */
export function grow(known: OutputItem, { given, place = 0, whole }: Arrived): string {
  const before = known.streamed.get(place) ?? '';
  const text = whole ? restOf(known, given, before) : given;
  known.length += text.length;
  known.streamed.set(place, before + text);
  return text;
}

/**
 * What a whole text has that was not streamed, since an event was lost: its rest, or all of it. Nothing where it is
 * written otherwise, so that no text is said twice.
 */
function restOf(known: OutputItem, whole: string, streamed: string): string {
  if (streamed === '') return known.length === 0 ? whole : '';
  return whole.startsWith(streamed) ? whole.slice(streamed.length) : '';
}

/** The same for an item that came whole. */
function growWhole(known: OutputItem, whole: string): string {
  const rest = restOf(known, whole, [...known.streamed.values()].join(''));
  return grow(known, { given: rest, place: 'rest' });
}

/** The parts of an item that begins: the name of a call. */
export function partsOfBegin(item: JsonObject, known: OutputItem): ModelPart[] {
  return item.type === 'function_call' ? [callPart(item, known)] : [];
}

/** The parts of a whole item, without those that were streamed. */
export function partsOfItem(item: JsonObject, known: OutputItem): ModelPart[] {
  if (item.type === 'message') return messageParts(item, known);
  if (item.type === 'reasoning') return reasoningParts(item, known);
  if (item.type !== 'function_call') return [];
  const parts: ModelPart[] = known.isNamed ? [] : [callPart(item, known)];
  const { arguments: given } = item;
  // A few servers send the arguments as an object instead of a text.
  if (isJsonObject(given) && known.length === 0) {
    parts.push({ type: 'call', index: known.index, arguments: given });
    return parts;
  }
  const whole = isJsonObject(given) ? JSON.stringify(given) : typeof given === 'string' ? given : '';
  const rest = growWhole(known, whole);
  if (rest !== '') parts.push({ type: 'call', index: known.index, arguments: rest });
  return parts;
}

function callPart({ id, call_id: callId, name }: JsonObject, known: OutputItem): ModelPart {
  known.isNamed = true;
  return {
    type: 'call',
    index: known.index,
    ...(typeof callId === 'string' ? { id: callId } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof id === 'string' ? { providerData: { id } } : {}),
  };
}

function messageParts({ id, phase, content }: JsonObject, known: OutputItem): ModelPart[] {
  const parts: ModelPart[] = [];
  const pieces = objectsIn(content);
  if (known.length > 0 && !known.isPast) {
    const whole = pieces.map(({ type, text }) => (type === 'output_text' && typeof text === 'string' ? text : ''));
    const rest = growWhole(known, whole.join(''));
    if (rest !== '') parts.push({ type: 'text', text: rest });
  }
  for (const { type, text, refusal } of known.length > 0 ? [] : pieces) {
    if (type === 'output_text' && typeof text === 'string') {
      known.length += text.length;
      parts.push({ type: 'text', text });
    } else if (type === 'refusal' && typeof refusal === 'string') parts.push({ type: 'refusal', text: refusal });
  }
  if (typeof id === 'string' && id !== '' && known.length > 0) {
    const said: SaidMessage = { id, ...(typeof phase === 'string' ? { phase } : {}), length: known.length };
    parts.push({ type: 'data', data: { messages: [{ ...said }] } });
  }
  return parts;
}

function reasoningParts(item: JsonObject, known: OutputItem): ModelPart[] {
  const said = textOf(item.summary) || textOf(item.content);
  const text = known.length > 0 ? '' : said;
  const providerData = reasoningData(item);
  if (text === '' && providerData === undefined) return [];
  const part: ModelPart = { type: 'reasoning', id: String(known.index), text };
  return [providerData === undefined ? part : { ...part, providerData }];
}

/** What goes back with the reasoning; `undefined` if the server would have to know it by its id, since it stores nothing. */
function reasoningData({ id, summary, content, encrypted_content: encrypted }: JsonObject): JsonObject | undefined {
  const hasContent = Array.isArray(content) && content.length > 0;
  const isEncrypted = typeof encrypted === 'string' && encrypted !== '';
  if (!hasContent && !isEncrypted) return undefined;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    summary: Array.isArray(summary) ? summary : [],
    ...(hasContent ? { content } : {}),
    ...(isEncrypted ? { encrypted_content: encrypted } : {}),
  };
}

function textOf(pieces: Json | undefined): string {
  return objectsIn(pieces)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
