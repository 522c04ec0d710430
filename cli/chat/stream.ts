import { type Message, textOf } from '../../agent/model/message';
import { type ChatLine, chatLine, shown } from './line';

/**
 * The answer under way. What it says may still be withdrawn, so it is `live` until it is taken: by its message, or bit by
 * bit where it grows too long for the screen.
 */
export class ChatStream {
  /** What the model thought last, whole. */
  thought = '';
  #raw = '';
  #taken = 0;
  #thinking: { text: string; since: number; until: number } | undefined;
  #withdrawn = false;

  /** A piece of text; the line of a thought that ends with it. */
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

  /** What is said and not yet taken, or that it thinks. */
  get live(): ChatLine | undefined {
    if (this.#text.length > this.#taken) return this.#rest('text');
    if (this.#thinking === undefined) return undefined;
    return { tone: 'thinks', text: thoughtText('thinking…', this.#thinking) };
  }

  /** So many characters of the live text stand where they cannot be taken back. */
  take(count: number): void {
    this.#taken = Math.min(this.#taken + count, this.#text.length);
  }

  /** The whole message: what of it is not shown yet. */
  message(message: Message): ChatLine[] {
    if (message.partial === true) return this.#partial(message);
    this.#withdrawn = false;
    const reasoning = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    const lines = this.#thoughtOver();
    if (reasoning !== '') {
      // Without deltas nobody knows how long it took.
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

  /** What was said so far does not count. `why` stands behind it. */
  withdraw(why: string): ChatLine[] {
    const lines = this.#thoughtOver();
    const said = this.#text !== '';
    const above = this.#taken > 0;
    if (this.#text.length > this.#taken) lines.push(this.#rest('withdrawn'));
    this.#raw = '';
    this.#taken = 0;
    this.#withdrawn = said;
    if (said || lines.length > 0) {
      lines.push(chatLine('note', above ? `(withdrawn, with what stands above: ${why})` : `(withdrawn: ${why})`));
    }
    return lines;
  }

  /** A new call of the model begins. */
  begin(): void {
    this.thought = '';
  }

  /** Of the whole: what belongs together may come in two pieces. */
  get #text(): string {
    return shown(this.#raw);
  }

  /** A reader who saw no deltas gets what was said before it was broken off. */
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

/** Milliseconds as seconds, with a tenth where it is worth it. */
export function seconds(ms: number): string {
  return ms < 10_000 ? `${(Math.round(ms / 100) / 10).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
