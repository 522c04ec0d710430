import type { StreamDelta } from '../../agent/protocol/stream';
import { DeltaLines } from './stream/delta-lines';

/** The answer of a turn while it is written. A structured one is not shown in pieces: it is the result, or a step to it. */
export class AnswerLines {
  readonly #lines: DeltaLines;
  /** The text of this turn so far. */
  #text = '';
  /** It begins like JSON, or it has not begun. */
  #held = true;
  #thinks = false;
  /** The text of the last message that is not on the screen. */
  unsaid: string | undefined;
  /** The text of the last message that is on the screen whole. */
  said: string | undefined;

  constructor(private readonly say: (kind: string, line: string) => void) {
    this.#lines = new DeltaLines(say);
  }

  /** A new turn. */
  begin(): void {
    this.#text = '';
    this.#held = true;
    this.#thinks = false;
    this.said = undefined;
  }

  delta(delta: StreamDelta): void {
    if (delta.type === 'stream.text') this.#add(delta);
    else if (delta.type === 'stream.reasoning') {
      if (!this.#thinks) this.say('thinks', '…');
      this.#thinks = true;
    } else {
      if (delta.type === 'stream.clear') this.begin();
      this.#lines.note(delta);
    }
  }

  /** The whole text of the turn. */
  message(whole: string, turn: number): void {
    const text = whole.trimStart();
    const shown = this.#held ? '' : this.#text;
    if (shown !== '' && text.startsWith(shown)) {
      this.#lines.add({ text: text.slice(shown.length), turn });
      this.#lines.flush();
      this.said = text;
    } else {
      this.#lines.flush();
      this.unsaid = text === '' ? undefined : text;
    }
  }

  /** Shows what is not on the screen yet. */
  flush(): void {
    const text = this.unsaid;
    this.unsaid = undefined;
    if (text !== undefined) this.show(text);
    this.#lines.flush();
  }

  /** Shows whole words before a line that comes while the answer is written. */
  pause(): void {
    if (this.unsaid === undefined) this.#lines.pause();
    else this.flush();
  }

  /** Shows a whole text. */
  show(text: string): void {
    this.#lines.flush();
    this.#lines.add({ text, turn: 0 });
    this.#lines.flush();
    this.said = text;
  }

  /** Forgets what is not on the screen. Returns whether some of the turn's text is. */
  withdraw(turn: number): boolean {
    this.begin();
    return this.#lines.withdraw(turn);
  }

  #add(delta: Extract<StreamDelta, { type: 'stream.text' }>): void {
    this.#text += delta.text;
    if (!this.#held) this.#lines.note(delta);
    else if (/^\s*[^\s{[]/.test(this.#text)) {
      this.#held = false;
      this.#text = this.#text.trimStart();
      this.#lines.note({ ...delta, text: this.#text });
    }
  }
}
