/** Finds an end tag in a text that arrives in pieces. */
export class EndTag {
  /** Characters of the tag that have arrived at the end of the last piece. */
  #matched = 0;

  /** @param tag has `<` only as its first character */
  constructor(private readonly tag: string) {}

  /**
   * Reads a piece from `from` on, to the end of the tag or of the piece.
   * @param onText gets the text before the tag, without what may be the beginning of the tag
   * @returns how far it has read, and whether the tag ends there
   */
  read(piece: string, from: number, onText: (text: string) => void): { at: number; found: boolean } {
    // What earlier pieces have held back.
    let held = this.#matched;
    for (let i = from; i < piece.length; i++) {
      if (piece[i] === this.tag[this.#matched]) {
        this.#matched++;
        if (this.#matched < this.tag.length) continue;
        this.#matched = 0;
        onText(piece.slice(from, i + 1 - (this.tag.length - held)));
        return { at: i + 1, found: true };
      }
      if (held > 0) onText(this.tag.slice(0, held));
      held = 0;
      this.#matched = piece[i] === this.tag[0] ? 1 : 0;
    }
    onText(piece.slice(from, piece.length - (this.#matched - held)));
    return { at: piece.length, found: false };
  }

  /** Nothing more arrives: returns what has been held back. */
  close(): string {
    return this.tag.slice(0, this.#matched);
  }
}
