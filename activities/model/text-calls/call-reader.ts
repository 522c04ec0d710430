import { BYTES } from '../../../agent/limits';
import type { ModelPart } from '../../../agent/model/adapter';
import type { CallFault } from '../../../agent/model/answer';
import {
  notFoundAt,
  serversOf,
  type ToolAddress,
  toolAt,
  writtenName,
} from '../../../agent/model/text-calls/tool-address';
import { callCut } from '../../../agent/prompts/calls/refused-calls';
import { callNotEnded, callNotJson, callTooLong, fieldsMissing } from '../../../agent/prompts/calls/text-calls';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import type { CallFields, CallForm } from './call-form';
import { fieldsOfJson, isJsonText, JsonCall } from './json-call';
import { TOOL_END } from './opening-tag';
import { XmlCall } from './xml-call';

/** Characters of a call. With more it would not fit into an answer. */
const MAX_CALL = BYTES.answer;
/** Characters of a broken call that its message shows to the model. */
const EXCERPT = 200;

/** What came of the call of an answer. */
export type CallEnd =
  /** It is a call; `problem`: there is no such tool. */
  { type: 'called'; problem?: string } | { type: 'broken'; fault: CallFault };

/** Reads one call, in either form, and yields it as the pieces of a native call. */
export class CallReader {
  /** Missing: the call goes on. */
  end: CallEnd | undefined;
  /** The call as it was written, without its tags and the white space before it. */
  text = '';
  #form: CallForm | undefined;
  /** Where the call ends if what follows does not make it valid JSON, or the end of a CDATA section. */
  #maybe: number | undefined;
  /** Arguments that arrived after that. */
  #withheld = '';
  #sent = 0;
  #problem: string | undefined;

  /**
   * @param out gets the pieces of the call
   * @param repair makes JSON of a broken text, or throws
   */
  constructor(
    private readonly tools: readonly ToolSpec[],
    private readonly out: (part: Extract<ModelPart, { type: 'call' }>) => void,
    private readonly repair: (text: string) => string,
  ) {}

  read(said: string): void {
    const piece = this.text === '' ? said.trimStart() : said;
    if (piece === '') return;
    this.text += piece;
    if (this.text.length > MAX_CALL) this.#break('ParseError', callTooLong(MAX_CALL));
    else this.#take(this.#formOf(piece).read(piece));
  }

  /** The tag that ends the call has arrived. `false`: it is in a quoted text, and so part of the call. */
  endTag(): boolean {
    if (this.end !== undefined) return true;
    if (this.#form?.isQuoted !== true) {
      this.#finish();
      return true;
    }
    this.#maybe ??= this.text.length;
    return false;
  }

  /** The answer has ended within the call. */
  close(isCut: boolean): void {
    if (this.end !== undefined) return;
    if (this.#maybe !== undefined) this.#endEarlier(this.#maybe);
    else if (this.#form?.isWhole === true && !isCut) this.#finish();
    // The answer says that it was cut, and so was its call.
    else if (isCut && this.#form?.hasBegun === true) this.end = { type: 'called' };
    else this.#break('ParseError', isCut ? callCut() : callNotEnded());
  }

  #formOf(piece: string): CallForm {
    this.#form ??= piece.startsWith('<') ? new XmlCall() : new JsonCall();
    return this.#form;
  }

  #finish(): void {
    if (this.#maybe === undefined || this.#form instanceof XmlCall || isJsonText(this.text)) this.#settle();
    else this.#endEarlier(this.#maybe);
  }

  /** Reads the call once more, up to an earlier end. It begins in the same way. */
  #endEarlier(length: number): void {
    this.text = this.text.slice(0, length);
    this.#maybe = undefined;
    this.#withheld = '';
    this.#form = undefined;
    this.#withheld = this.#formOf(this.text).read(this.text).slice(this.#sent);
    this.#settle();
  }

  #settle(): void {
    if (this.#form?.hasBegun === true) {
      this.#send(this.#withheld);
      this.end = called(this.#problem);
      return;
    }
    const fields = this.#fields();
    if (fields === undefined) return;
    const { server = '', tool = '', input = '' } = fields;
    const missing = [...(server === '' ? ['server_name'] : []), ...(tool === '' ? ['tool_name'] : [])];
    if (missing.length > 0) {
      this.#break('MissingFieldError', fieldsMissing(missing, serversOf(this.tools)));
      return;
    }
    this.#begin({ server, tool }, input);
    this.end = called(this.#problem);
  }

  #fields(): CallFields | undefined {
    try {
      if (this.#form instanceof XmlCall) return this.#form.end(this.text);
      return fieldsOfJson(this.text, this.repair);
    } catch (error) {
      const said = this.text.trim().slice(0, EXCERPT).replace(/\s+/g, ' ');
      const isXml = this.#form instanceof XmlCall;
      this.#break('ParseError', isXml ? (error as Error).message : callNotJson(said));
      return undefined;
    }
  }

  #take(args: string): void {
    if (args === '') return;
    if (this.#maybe === undefined) this.#send(args);
    else this.#withheld += args;
  }

  #send(args: string): void {
    if (args === '') return;
    const { server = '', tool = '' } = this.#form?.fields ?? {};
    if (this.#sent === 0) this.#begin({ server: server.trim(), tool: tool.trim() }, args);
    else this.out({ type: 'call', index: 0, arguments: args });
    this.#sent += args.length;
  }

  #begin(address: ToolAddress, args: string | JsonObject): void {
    const found = toolAt(this.tools, address);
    if (found === undefined) this.#problem = notFoundAt(this.tools, address);
    this.out({ type: 'call', index: 0, name: found?.modelName ?? writtenName(address), arguments: args });
  }

  #break(type: CallFault['type'], message: string): void {
    this.end = { type: 'broken', fault: { type, message } };
  }
}

function called(problem: string | undefined): CallEnd {
  return problem === undefined ? { type: 'called' } : { type: 'called', problem };
}

/** A call as it was written, with its tags. */
export function writtenCall(text: string): string {
  return `<tool>${text}${TOOL_END}`;
}
