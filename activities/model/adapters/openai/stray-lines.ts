import { excessOf, MAX_WRAPPED_DEPTH } from '../../../json-extent';
import { PIECE_BYTES, tooLargePiece } from './body';

/** A line of a stream that is not a field of an event. */
interface StrayLine {
  field?: string | undefined;
  value?: string | undefined;
  line?: string | undefined;
}

/** What a server sends in a stream without `data:` before it: an answer or an error as JSON, or plain text. */
export class StrayLines {
  /** Those that are not JSON in themselves. */
  text = '';

  constructor(private readonly values: number | undefined) {}

  /**
   * The event that a line stands for, as JSON.
   * @throws AnswerFault past the limit of what is read at once
   */
  read({ field, value = '', line = '' }: StrayLine): string | undefined {
    if (this.text === '') {
      // llama-server until 2025.
      if (field === 'error') return this.#isJson(value) ? `{"error":${value}}` : JSON.stringify({ error: value });
      if (this.#isJson(line)) return line;
    }
    this.text += `${line}\n`;
    if (this.text.length > PIECE_BYTES) throw tooLargePiece();
    return undefined;
  }

  /** The event that all lines together stand for: JSON that was written over several of them. */
  whole(): string | undefined {
    return this.#isJson(this.text) ? this.text : undefined;
  }

  #isJson(text: string): boolean {
    if (!/^\s*\{/.test(text) || excessOf(text, MAX_WRAPPED_DEPTH, this.values) !== undefined) return false;
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false; // a text that begins with a brace, or the first line of several
    }
  }
}
