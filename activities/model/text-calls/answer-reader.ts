import type { FinishReason, ModelPart } from '../../../agent/model/adapter';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { JsonRepair } from '../answer/repair-json';
import { CallReader } from './call-reader';
import { type Tagged, TagScanner } from './tag-scanner';

/**
 * Turns the text of an answer into the parts of one with native calls, while it arrives: thinking becomes reasoning, and
 * the first call a call. What follows the call is left out.
 */
export class AnswerReader implements Tagged {
  /** The call of the answer. */
  readonly call: CallReader;
  /** The answer has ended at its call, before the model ended it. */
  isStopped = false;
  readonly #scanner = new TagScanner(this);
  #out: ModelPart[] = [];
  #inCall = false;
  /** White space at the beginning, and after thinking, has no meaning. */
  #isBlank = true;
  #isThoughtBlank = true;
  /** The answer was cut within its call. */
  #wasCut = false;
  /** Characters that have arrived, and those of them that are in a part: tags and names of fields are not. */
  #arrived = 0;
  #shown = 0;

  /** @param repair makes JSON of a broken text, or throws */
  constructor(tools: readonly ToolSpec[], repair = (text: string) => new JsonRepair().repair(text)) {
    this.call = new CallReader(tools, (part) => this.#show(part), repair);
  }

  /** Characters that have arrived and are in no part. */
  get unshown(): number {
    return Math.max(0, this.#arrived - this.#shown);
  }

  /** The answer has its call: nothing more is read. */
  get #isOver(): boolean {
    return this.call.end !== undefined;
  }

  /** Takes parts that arrived together. */
  read(parts: readonly ModelPart[]): ModelPart[] {
    this.#out = [];
    let hasEnded = false;
    for (const part of parts) {
      if (part.type === 'text') this.#read(part.text);
      else if (part.type === 'finish') {
        hasEnded = true;
        this.#end(part.reason);
        // A call that is complete was not cut, whatever followed it.
        const { reason } = part;
        this.#out.push(this.#isOver && reason === 'length' && !this.#wasCut ? { ...part, reason: 'stop' } : part);
      } else if (!this.#isOver || part.type === 'usage' || part.type === 'model' || part.type === 'data') {
        this.#out.push(part);
      }
    }
    if (this.#isOver && !hasEnded) {
      this.isStopped = true;
      this.#out.push({ type: 'finish', reason: 'stop' });
    }
    return this.#out;
  }

  #read(text: string): void {
    if (this.#isOver) return;
    this.#arrived += text.length;
    this.#scanner.read(text);
  }

  #end(reason: FinishReason): void {
    if (this.#isOver) return;
    this.#scanner.close();
    if (!this.#inCall) return;
    this.#wasCut = reason === 'length';
    this.call.close(this.#wasCut);
  }

  text(piece: string): void {
    const text = this.#isBlank ? piece.trimStart() : piece;
    if (text === '') return;
    this.#isBlank = false;
    this.#isThoughtBlank = true;
    this.#show({ type: 'text', text });
  }

  thinking(piece: string): void {
    const text = this.#isThoughtBlank ? piece.trimStart() : piece;
    this.#isBlank = true;
    if (text === '') return;
    this.#isThoughtBlank = false;
    this.#show({ type: 'reasoning', text });
  }

  callBegins(): void {
    this.#inCall = true;
  }

  callPiece(piece: string): void {
    if (!this.#isOver) this.call.read(piece);
  }

  callEnds(): boolean {
    return this.call.endTag();
  }

  #show(part: Extract<ModelPart, { type: 'text' | 'reasoning' | 'call' }>): void {
    this.#out.push(part);
    if (part.type !== 'call') this.#shown += part.text.length;
    else {
      const { name = '', arguments: args = '' } = part;
      this.#shown += name.length + (typeof args === 'string' ? args.length : JSON.stringify(args).length);
    }
  }
}
