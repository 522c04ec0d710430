import { excessOf, MAX_WRAPPED_DEPTH } from '../../../json-extent';
import { AnswerFault } from '../../failures/answer-fault';
import { PIECE_BYTES, tooLargePiece } from './body';

/** Lines that are read: a whole answer of the most values, each in a line of its own. Each costs the parser an error. */
const MAX_LINES = 20_000;

/** A line of a stream that is not a field of an event. */
interface StrayLine {
  field?: string | undefined;
  value?: string | undefined;
  line?: string | undefined;
}

/** JSON that came in a stream without `data:` before it. */
export class StrayJson {
  constructor(
    readonly json: unknown,
    readonly text: string,
  ) {}
}

/** What a server sends in a stream without `data:` before it: an answer or an error as JSON, or plain text. */
export class StrayLines {
  /** Those that say nothing as JSON. */
  text = '';
  #lines = 0;
  #size = 0;

  constructor(private readonly values: number | undefined) {}

  /**
   * What a line stands for; `undefined` if it is only text.
   * @throws AnswerFault past a limit
   */
  read({ field, value = '', line = '' }: StrayLine): StrayJson | undefined {
    this.#size += line.length + 1;
    if (this.#size > PIECE_BYTES) throw tooLargePiece();
    if (++this.#lines > MAX_LINES) {
      throw new AnswerFault('unreadable', `over ${MAX_LINES} lines of its stream are not a part of an event`);
    }
    if (this.text === '') {
      // llama-server until 2025.
      const own = field === 'error' ? { error: this.#parsed(value) ?? value } : this.#parsed(line);
      if (own !== undefined) return new StrayJson(own, line);
    }
    this.keep(line);
    return undefined;
  }

  /** A line is only text. */
  keep(line: string): void {
    this.text += `${line}\n`;
  }

  /** What all lines together stand for: JSON that was written over several of them. */
  whole(): StrayJson | undefined {
    const json = this.#parsed(this.text);
    return json === undefined ? undefined : new StrayJson(json, '');
  }

  #parsed(text: string): unknown {
    if (!/^\s*\{/.test(text) || excessOf(text, MAX_WRAPPED_DEPTH, this.values) !== undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined; // a text that begins with a brace, or the first line of several
    }
  }
}
