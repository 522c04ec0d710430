import { MessageSize } from './traffic/message-size';

const NEWLINE = 0x0a;

/** Splits a stream into lines, each a message. Each byte is read and copied once, however long the line is. */
export class LineReader {
  #parts: Buffer[] = [];
  readonly #size = new MessageSize();

  constructor(private readonly onLine: (line: string) => void) {}

  /** Returns how a line exceeds the limits: it is dropped, and so is what follows it. */
  add(chunk: Buffer): string | undefined {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      if (this.#size.excess !== undefined) return this.#drop();
      from = end + 1;
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#clear();
      if (line.trim() !== '') this.onLine(line);
    }
    this.#keep(chunk.subarray(from));
    return this.#size.excess === undefined ? undefined : this.#drop();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#size.add(part);
  }

  #drop(): string | undefined {
    const { excess } = this.#size;
    this.#clear();
    return excess;
  }

  #clear(): void {
    this.#parts = [];
    this.#size.next();
  }
}
