import { type Message, textOf } from '../../agent/model/message';
import { spoken } from '../show/table';
import { type ChatLine, chatLine, shown } from './line';

/**
 * The answer in progress. Its text may still be withdrawn, so it is `live` until it is taken: by its message, or in
 * pieces if it gets too long for the screen.
 */
export class ChatStream {
  /** The model's last reasoning, in full. */
  thought = '';
  #raw = '';
  #taken = 0;
  #thinking: { text: string; since: number; until: number } | undefined;
  #withdrawn = false;

  /** Adds a piece of text. Returns the line of the reasoning that ends with it. */
  text(piece: string): ChatLine[] {
    this.#withdrawn = false;
    const lines = this.#thoughtOver();
    this.#raw += piece;
    return lines;
  }

  reasoning(piece: string, now: number): void {
    this.#withdrawn = false;
    const { text = '', since = now } = this.#thinking ?? {};
    this.#thinking = { text: text + piece, since, until: now };
  }

  /** The text that is not yet taken, or a note that the model thinks. */
  get live(): ChatLine | undefined {
    if (this.#text.length > this.#taken) return this.#rest('text');
    if (this.#thinking === undefined) return undefined;
    return { tone: 'thinks', text: thoughtText('thinking…', this.#thinking) };
  }

  /** Marks this number of characters of the live text as printed for good. */
  take(count: number): void {
    this.#taken = Math.min(this.#taken + count, this.#text.length);
  }

  /** Takes the whole message. Returns the part that is not shown yet. */
  message(message: Message): ChatLine[] {
    if (message.partial === true) return this.#partial(message);
    this.#withdrawn = false;
    const reasoning = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    const lines = this.#thoughtOver();
    if (reasoning !== '') {
      // Without deltas it is unknown how long it took.
      if (this.thought === '') lines.push({ tone: 'thinks', text: thoughtText('thought', { text: reasoning }) });
      this.thought = reasoning;
    }
    const text = shown(textOf(message));
    const before = this.#text.slice(0, this.#taken);
    this.#raw = '';
    this.#taken = 0;
    const fits = before !== '' && text.startsWith(before);
    const rest = fits ? text.slice(before.length) : text;
    if (rest.trim() !== '') lines.push({ tone: 'text', text: rest, ...(fits ? { more: true } : {}) });
    return lines;
  }

  /** Withdraws the text so far, followed by a note with the reason. */
  withdraw(why: string): ChatLine[] {
    const lines = this.#thoughtOver();
    const said = this.#text !== '';
    const above = this.#taken > 0;
    if (this.#text.length > this.#taken) lines.push(this.#rest('withdrawn'));
    this.#raw = '';
    this.#taken = 0;
    this.#withdrawn = said;
    if (said || lines.length > 0) {
      lines.push(chatLine('note', above ? `(withdrawn, including the text above: ${why})` : `(withdrawn: ${why})`));
    }
    return lines;
  }

  /** Starts a new model call. */
  begin(): void {
    this.thought = '';
  }

  /** Made from the whole text: a character sequence may arrive in two pieces. */
  get #text(): string {
    return shown(this.#raw);
  }

  /** Without deltas, shows the text that came before the interruption. */
  #partial(message: Message): ChatLine[] {
    if (this.#text !== '') return [];
    const seen = this.#withdrawn;
    this.#withdrawn = false;
    const text = textOf(message);
    return seen || text.trim() === '' ? [] : [chatLine('withdrawn', text), chatLine('note', '(withdrawn)')];
  }

  #rest(tone: 'text' | 'withdrawn'): ChatLine {
    return { tone, text: this.#text.slice(this.#taken), ...(this.#taken > 0 ? { more: true } : {}) };
  }

  #thoughtOver(): ChatLine[] {
    const thinking = this.#thinking;
    if (thinking === undefined) return [];
    this.#thinking = undefined;
    this.thought = thinking.text;
    return [{ tone: 'thinks', text: thoughtText('thought', thinking) }];
  }
}

function thoughtText(what: string, { text, since, until }: { text: string; since?: number; until?: number }): string {
  const time = since === undefined || until === undefined ? '' : `${seconds(until - since)}, `;
  return `${what} ${time}${text.length} characters`;
}

/** Milliseconds as seconds, with tenths below 10 s, and as minutes and more past two of them. */
export function seconds(ms: number): string {
  if (ms < 10_000) return `${(Math.round(ms / 100) / 10).toFixed(1)} s`;
  return spoken(Math.round(ms / 1000) * 1000);
}
