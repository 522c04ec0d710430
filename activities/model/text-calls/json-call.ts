import { isJsonObject } from '../../../agent/values/json';
import { parseJson } from '../../json-extent';
import { type CallFields, type CallForm, MAX_NAME } from './call-form';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const END_BRACE = 0x7d;
const END_BRACKET = 0x5d;

/** A call as JSON: `{"server_name": …, "tool_name": …, "arguments": {…}}`. */
export class JsonCall implements CallForm {
  readonly fields: CallFields = {};
  hasBegun = false;
  isQuoted = false;
  isWhole = false;
  #escaped = false;
  #depth = 0;
  /** The last text of the outer object, undecoded. */
  #word = '';
  /** The field whose value arrives. */
  #field: string | undefined;
  /** The pieces that arrive are arguments. */
  #inArguments = false;
  #seenArguments = false;

  read(piece: string): string {
    let from = this.#inArguments ? 0 : -1;
    let out = '';
    for (let i = 0; i < piece.length && !this.isWhole; i++) {
      const code = piece.charCodeAt(i);
      if (this.isQuoted) {
        this.#text(code, piece[i] as string);
        continue;
      }
      this.#structure(code);
      if (this.#inArguments && from < 0) from = i;
      if (this.#inArguments || from < 0) continue;
      out += piece.slice(from, i + 1);
      from = -1;
    }
    return from < 0 ? out : out + piece.slice(from);
  }

  #text(code: number, character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      this.isQuoted = false;
      if (this.#depth === 1) this.#take();
      return;
    }
    if (this.#depth === 1 && this.#word.length < MAX_NAME) this.#word += character;
  }

  #structure(code: number): void {
    switch (code) {
      case QUOTE:
        this.isQuoted = true;
        this.#word = '';
        break;
      case COLON:
        if (this.#depth === 1) this.#field = this.#word;
        break;
      case COMMA:
        if (this.#depth === 1) this.#field = undefined;
        break;
      case BRACE:
      case BRACKET:
        if (++this.#depth === 2 && this.#field === 'arguments') this.#beginArguments(code === BRACE);
        break;
      case END_BRACE:
      case END_BRACKET:
        if (--this.#depth === 1) this.#inArguments = false;
        if (this.#depth <= 0) this.isWhole = true;
        break;
    }
  }

  /** Of two fields with the same name the first counts, since readers have seen it. */
  #beginArguments(isObject: boolean): void {
    const { server, tool } = this.fields;
    if (isObject && !this.#seenArguments && server && tool) {
      this.#inArguments = true;
      this.hasBegun = true;
    }
    this.#seenArguments = true;
  }

  #take(): void {
    if (this.#field === 'server_name') this.fields.server ??= decoded(this.#word);
    if (this.#field === 'tool_name') this.fields.tool ??= decoded(this.#word);
  }
}

function decoded(word: string): string {
  try {
    return String(JSON.parse(`"${word}"`));
  } catch {
    return word;
  }
}

/**
 * The fields of a whole call.
 * @param text JSON, or what can be repaired to JSON
 * @throws Error where it cannot
 */
export function fieldsOfJson(text: string, repair: (text: string) => string): CallFields {
  const value = objectIn(text) ?? objectIn(repair(text));
  if (value === undefined) throw new Error('it is not an object');
  const { server_name: server, tool_name: tool, arguments: input } = value;
  return {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof tool === 'string' ? { tool } : {}),
    ...(input === undefined ? {} : { input: typeof input === 'string' ? input : JSON.stringify(input) }),
  };
}

/** Whether a text is a JSON object as it is. */
export function isJsonText(text: string): boolean {
  return objectIn(text) !== undefined;
}

function objectIn(text: string) {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
