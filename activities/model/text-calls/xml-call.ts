import type { JsonObject } from '../../../agent/values/json';
import { type CallFields, type CallForm, MAX_NAME } from './call-form';
import { MAX_ENTITY, withoutEntities } from './entities';
import { objectOfXml } from './xml-object';

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
/** Characters of a tag that are kept: its name is among them. */
const MAX_TAG = 200;

/**
 * A call as XML: `<server_name>…</server_name><tool_name>…</tool_name><arguments>…</arguments>`. The arguments are JSON,
 * or elements. Attributes and other elements are left out. Models write tags, `&` and `<` in their JSON as they are: until
 * its end tag, the content of a field is a text.
 */
export class XmlCall implements CallForm {
  readonly fields: CallFields = {};
  hasBegun = false;
  isWhole = false;
  #at: 'between' | 'tag' | 'content' | 'cdata' = 'between';
  #name = '';
  /** What may be the beginning of a tag or of an entity. */
  #held = '';
  /** The last character of the tag. */
  #last = '';
  /** Characters read before this piece. */
  #read = 0;
  /** Where the content of the arguments begins and ends. */
  #from = -1;
  #to = -1;
  /** The arguments, if they are JSON. */
  #isJson: boolean | undefined;
  #json: string[] = [];
  #out = '';

  get isQuoted(): boolean {
    return this.#at === 'cdata';
  }

  read(piece: string): string {
    this.#out = '';
    for (let i = 0; i < piece.length; ) {
      switch (this.#at) {
        case 'between':
          i = this.#between(piece, i);
          break;
        case 'tag':
          i = this.#tag(piece, i);
          break;
        case 'content':
          i = this.#content(piece, i);
          break;
        case 'cdata':
          i = this.#cdata(piece, i);
          break;
      }
    }
    this.#read += piece.length;
    return this.#out;
  }

  /**
   * The fields of the whole call.
   * @param text all that was read
   * @throws Error where the elements of the arguments do not end
   */
  end(text: string): CallFields {
    if (this.#held !== '' && this.#at === 'content') this.#put(this.#held);
    const { server, tool } = this.fields;
    const input = this.#from < 0 ? undefined : this.#inputOf(text);
    return {
      ...(server === undefined ? {} : { server: server.trim() }),
      ...(tool === undefined ? {} : { tool: tool.trim() }),
      ...(input === undefined ? {} : { input }),
    };
  }

  #inputOf(text: string): string | JsonObject {
    if (this.#isJson !== false) return this.#json.join('');
    return objectOfXml(text.slice(this.#from, this.#to < 0 ? text.length : this.#to));
  }

  #between(piece: string, from: number): number {
    const at = piece.indexOf('<', from);
    if (at < 0) return piece.length;
    this.#at = 'tag';
    this.#held = '';
    this.#last = '';
    return at + 1;
  }

  #tag(piece: string, from: number): number {
    const end = piece.indexOf('>', from);
    const part = piece.slice(from, end < 0 ? undefined : end);
    this.#last = part.at(-1) ?? this.#last;
    this.#held = (this.#held + part).slice(0, MAX_TAG);
    if (end < 0) return piece.length;
    const name = /^[\w-]+/.exec(this.#held)?.[0];
    this.#held = '';
    this.#at = 'between';
    if (name === undefined || this.#last === '/') return end + 1;
    this.#name = name;
    this.#at = 'content';
    if (name === 'arguments' && this.#from < 0) this.#from = this.#read + end + 1;
    return end + 1;
  }

  #content(piece: string, from: number): number {
    if (this.#held !== '') return this.#markup(piece, from);
    let i = from;
    while (i < piece.length && piece[i] !== '<' && piece[i] !== '&') i++;
    this.#put(piece.slice(from, i));
    if (i < piece.length) this.#held = piece[i] as string;
    return i + 1;
  }

  /** Reads on in what may be an end tag, a CDATA section or an entity. */
  #markup(piece: string, at: number): number {
    const character = piece[at] as string;
    const held = this.#held + character;
    const end = `</${this.#name}`;
    if (held[0] === '&') {
      const isWhole = character === ';';
      if (!isWhole && /[\w#]/.test(character) && held.length < MAX_ENTITY) this.#held = held;
      else this.#flush(isWhole ? withoutEntities(held) : this.#held);
      return isWhole || this.#held !== '' ? at + 1 : at;
    }
    if (held === CDATA) {
      this.#held = '';
      this.#at = 'cdata';
      return at + 1;
    }
    if (held.startsWith(end) && character === '>') {
      this.#held = '';
      this.#endField(this.#read + at + 1 - held.length);
      return at + 1;
    }
    const goesOn = end.startsWith(held) || CDATA.startsWith(held);
    if (goesOn || (held.startsWith(end) && /\s/.test(character) && held.length < MAX_TAG)) {
      this.#held = held;
      return at + 1;
    }
    this.#flush(this.#held);
    return at;
  }

  #flush(text: string): void {
    this.#held = '';
    this.#put(text);
  }

  #cdata(piece: string, from: number): number {
    if (this.#held === '') {
      const at = piece.indexOf(']', from);
      this.#put(piece.slice(from, at < 0 ? undefined : at), true);
      if (at < 0) return piece.length;
      this.#held = ']';
      return at + 1;
    }
    const held = this.#held + piece[from];
    if (held === CDATA_END) {
      this.#held = '';
      this.#at = 'content';
    } else if (held === ']]') {
      this.#held = held;
    } else {
      const stays = held.endsWith(']') ? ']]' : '';
      this.#held = stays;
      this.#put(held.slice(0, held.length - stays.length), true);
    }
    return from + 1;
  }

  #endField(at: number): void {
    this.#at = 'between';
    if (this.#name !== 'arguments') return;
    if (this.#to < 0) this.#to = at;
    this.isWhole = this.#isNamed;
  }

  get #isNamed(): boolean {
    const { server = '', tool = '' } = this.fields;
    return server.trim() !== '' && tool.trim() !== '';
  }

  #put(said: string, isData = false): void {
    if (said === '') return;
    const isFirst = this.#name === 'arguments' && this.#isJson === undefined;
    const text = isFirst ? said.trimStart() : said;
    if (this.#name === 'server_name') this.fields.server = ((this.fields.server ?? '') + text).slice(0, MAX_NAME);
    if (this.#name === 'tool_name') this.fields.tool = ((this.fields.tool ?? '') + text).slice(0, MAX_NAME);
    if (this.#name !== 'arguments' || this.#to >= 0) return;
    if (this.#isJson === undefined) {
      const begins = text[0];
      if (begins === undefined) return;
      this.#isJson = isData || begins !== '<';
      this.hasBegun = begins === '{' && this.#isNamed;
    }
    if (!this.#isJson) return;
    this.#json.push(text);
    if (this.hasBegun) this.#out += text;
  }
}
