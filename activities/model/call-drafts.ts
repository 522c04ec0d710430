import { isJsonObject, type JsonObject, jsonBytes, utf8Bytes } from '../../agent/json';
import { mergeFields } from './provider-data';

/** One tool call as far as it has arrived. */
export interface CallDraft {
  id: string;
  name: string;
  /** Raw text. */
  arguments: string;
  /** Fields that only the provider understands. */
  fields: JsonObject;
}

const KNOWN = new Set(['index', 'id', 'type', 'function']);

/** Bytes that a piece adds to what is kept of its call: a token of arguments comes in a frame ten times its size. */
export function pieceBytes(piece: JsonObject): number {
  const fields = fieldsOf(piece);
  const { arguments: more } = functionOf(piece);
  return utf8Bytes(more) + (Object.keys(fields).length === 0 ? 0 : jsonBytes(fields));
}

/**
 * Puts the pieces of tool calls together. Servers disagree about what makes a piece belong to a call: some count, some
 * repeat index 0 for each call, some send no index, some send whole calls, some repeat the name with every piece.
 */
export class CallDrafts {
  readonly list: CallDraft[] = [];
  private readonly byIndex = new Map<number, CallDraft>();

  /** Takes one piece; returns the place of its call and what came new. */
  add(piece: JsonObject): { index: number; name: string; arguments: string } {
    const id = textOf(piece.id);
    const { name, arguments: more } = functionOf(piece);
    const at = typeof piece.index === 'number' ? piece.index : undefined;

    const known = at === undefined ? this.withoutIndex(id) : this.byIndex.get(at);
    const call = known === undefined || startsAnother(known, id, name, more) ? this.open() : known;
    if (at !== undefined) this.byIndex.set(at, call);
    if (id !== '') call.id = id;
    if (name !== '') call.name = name;
    call.arguments += more;
    mergeFields(call.fields, fieldsOf(piece));
    return { index: this.list.indexOf(call), name: call.name, arguments: more };
  }

  private withoutIndex(id: string): CallDraft | undefined {
    const same = id === '' ? undefined : this.list.findLast((call) => call.id === id);
    return same ?? this.list.at(-1);
  }

  private open(): CallDraft {
    const call = { id: '', name: '', arguments: '', fields: {} };
    this.list.push(call);
    return call;
  }
}

function functionOf(piece: JsonObject): { name: string; arguments: string } {
  const fn = isJsonObject(piece.function) ? piece.function : {};
  // Some servers send the arguments as the object that they are.
  const more = isJsonObject(fn.arguments) ? JSON.stringify(fn.arguments) : textOf(fn.arguments);
  return { name: textOf(fn.name), arguments: more };
}

function fieldsOf(piece: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(piece).filter(([key]) => !KNOWN.has(key)));
}

function startsAnother(call: CallDraft, id: string, name: string, more: string): boolean {
  if (id !== '' && call.id !== '' && id !== call.id) return true;
  if (name === '' || call.name === '') return false;
  return name !== call.name || (more !== '' && isWhole(call.arguments));
}

function isWhole(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
