import type { ModelPart } from '../../../agent/model/adapter';
import { isJsonObject, type JsonObject, utf8Bytes } from '../../../agent/values/json';
import { isNestedDeeper } from '../../../agent/values/json-depth';
import { CallNames, MAX_NAME } from './call-name';
import { growthOf, mergeFields, shallow } from './merge-fields';
import { ObjectEnd } from './object-end';

/** One tool call as far as it has arrived. */
export interface CallDraft {
  id: string;
  name: string;
  /** Raw text. */
  arguments: string;
  /** Fields that only the provider understands. */
  fields: JsonObject;
  /** Its arguments, sent as an object, are nested deeper than a run can read; they are not kept. */
  isTooDeep?: true;
}

interface OpenCall extends CallDraft {
  /** Its position in the answer. */
  readonly place: number;
  /** How many parts of the answer came before it. */
  readonly after: number;
  end: ObjectEnd;
  /** The chunk that contained its last piece. */
  chunk: number | undefined;
}

/** What one piece contains, and the call it belongs to. */
export interface PlannedPiece {
  /** Missing: the piece opens a call. */
  call?: OpenCall;
  index: number | undefined;
  id: string;
  /** The name of the call after this piece. */
  name: string;
  more: string;
  fields: JsonObject;
  chunk: number | undefined;
  isTooDeep?: true;
  /** Bytes it adds to what is kept: a token of arguments comes in a frame ten times its size. */
  bytes: number;
}

interface SaidPiece {
  index: number | undefined;
  id: string;
  name: string;
  more: string;
}

type CallPiece = Extract<ModelPart, { type: 'call' }>;

/** Bytes that every call takes beside its arguments: name, hash, and the frame of a message part. */
const CALL_BYTES = 300;

/**
 * Joins the pieces of tool calls. Servers differ in how a piece refers to its call: some count, some repeat index 0 for
 * each call, some send no index, some send whole calls, some repeat the name with every piece, some split it.
 */
export class CallDrafts {
  readonly list: OpenCall[] = [];
  private readonly byIndex = new Map<number, OpenCall>();
  /** The last call of each id. */
  private readonly byId = new Map<string, OpenCall>();
  private readonly names: CallNames;

  /** @param tools names as the model knows them */
  constructor(tools: readonly string[] = []) {
    this.names = new CallNames(tools);
  }

  /**
   * Finds the call of a piece, without changing anything.
   * @param chunk distinguishes pieces that arrived together from those that came one after another
   */
  plan(piece: CallPiece, chunk?: number): PlannedPiece {
    const { index, id = '', name: said = '', providerData = {} } = piece;
    const { text, isTooDeep } = argumentsOf(piece);
    const fields = shallow(providerData);
    const named = said.slice(0, MAX_NAME);
    const known = index === undefined ? this.withoutIndex(id) : this.byIndex.get(index);
    const isAgain = known !== undefined && isRepeated(known, { index, id, name: named, more: text });
    const more = isAgain ? '' : text;
    const kept = { index, id, more, fields, chunk, ...(isTooDeep ? { isTooDeep } : {}) };

    const name =
      known === undefined ? undefined : this.nameOf(known, { index, id, name: isAgain ? '' : named, more, chunk });
    if (known === undefined || name === undefined) {
      return { name: named, bytes: CALL_BYTES + utf8Bytes(named + id + more) + growthOf({}, fields), ...kept };
    }
    const longer = utf8Bytes(more) + (known.id === '' ? utf8Bytes(id) : 0);
    return { call: known, name, bytes: longer + growthOf(known.fields, fields), ...kept };
  }

  /**
   * Takes a piece; returns the position of its call and what is new.
   * @param after how many parts of the answer have come, beside calls
   */
  take(piece: PlannedPiece, after = 0): { index: number; name: string; arguments: string } {
    const { index, id, name, more, fields, chunk, isTooDeep } = piece;
    const call = piece.call ?? this.open(after);
    if (index !== undefined) this.byIndex.set(index, call);
    if (id !== '' && call.id === '') this.identify(call, id);
    call.name = name;
    if (isOnlyFrame(call, more)) {
      call.arguments = '';
      call.end = new ObjectEnd();
    }
    call.arguments += more;
    call.end.add(more);
    call.chunk = chunk;
    if (isTooDeep) call.isTooDeep = true;
    mergeFields(call.fields, fields);
    return { index: call.place, name, arguments: more };
  }

  /** The name of a call after a piece; `undefined` if the piece begins another call. */
  private nameOf(call: OpenCall, piece: SaidPiece & { chunk: number | undefined }): string | undefined {
    const { index, id, name, more, chunk } = piece;
    // A few servers send a new id with each piece. A call that has not ended cannot have another one's piece under its index.
    const goesOn = index !== undefined && name === '' && call.name !== '' && !call.end.isWhole;
    if (id !== '' && call.id !== '' && id !== call.id) return goesOn ? call.name : undefined;
    if (name === '') return call.name;
    if (call.name === '') return name;
    if (call.arguments !== '') {
      return name !== call.name || (more !== '' && call.end.isWhole) ? undefined : name;
    }
    return this.names.join({ known: call.name, piece: name, isBeside: chunk !== undefined && chunk === call.chunk });
  }

  private withoutIndex(id: string): OpenCall | undefined {
    return (id === '' ? undefined : this.byId.get(id)) ?? this.list.at(-1);
  }

  private identify(call: OpenCall, id: string): void {
    call.id = id;
    const last = this.byId.get(id);
    if (last === undefined || last.place < call.place) this.byId.set(id, call);
  }

  private open(after: number): OpenCall {
    const place = this.list.length;
    const call = { id: '', name: '', arguments: '', fields: {}, place, after, end: new ObjectEnd(), chunk: undefined };
    this.list.push(call);
    return call;
  }
}

/** Bridges to Anthropic send its empty `input` before the arguments. */
function isOnlyFrame(call: OpenCall, more: string): boolean {
  return call.arguments === '{}' && more.trimStart().startsWith('{');
}

/**
 * At the end of a call, a few servers send all its arguments once more under its index. With a name but no id they may be those
 * of another call: some repeat index 0 for each.
 */
function isRepeated(call: OpenCall, { index, id, name, more }: SaidPiece): boolean {
  const isSame = id === '' ? name === '' : id === call.id && (name === '' || name === call.name);
  return index !== undefined && isSame && call.end.isWhole && more !== '' && more === call.arguments;
}

function argumentsOf({ arguments: more = '' }: CallPiece): { text: string; isTooDeep?: true } {
  if (!isJsonObject(more)) return { text: more };
  return isNestedDeeper(more) ? { text: '', isTooDeep: true } : { text: JSON.stringify(more) };
}
