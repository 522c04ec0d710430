import { MAX_MESSAGE } from './bounded-fetch';

const NEWLINE = 0x0a;

/** Cuts a stream into lines. Each byte is looked at and copied once, however large the line. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  /** Whether the line under way is still of a size that is read; otherwise it is dropped. */
  add(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      const line = Buffer.concat(this.#parts, this.#size).toString('utf8');
      this.#clear();
      if (line.trim() !== '') this.onLine(line);
    }
    this.#keep(chunk.subarray(from));
    if (this.#size <= MAX_MESSAGE) return true;
    this.#clear();
    return false;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
  }

  #clear(): void {
    this.#parts = [];
    this.#size = 0;
  }
}
