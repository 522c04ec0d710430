import { parseJson } from '../../../../json-extent';

/** Bytes that are kept: an error is shorter. */
const MAX_BYTES = 64 * 1024;

/** The body of an answer that is JSON: packages that wait for events see nothing of it. */
export class JsonBody {
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= MAX_BYTES) this.#pieces.push(bytes);
  }

  /** `undefined` if it is no JSON, or longer than an error. */
  get value(): unknown {
    if (this.#size > MAX_BYTES) return undefined;
    try {
      return parseJson(Buffer.concat(this.#pieces).toString());
    } catch {
      return undefined; // it is shown that it is no stream
    }
  }
}
