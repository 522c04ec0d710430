import { parseJson } from '../../../../json-extent';

/** Bytes at the end of a body that are kept: an error is shorter. */
const MAX_BYTES = 64 * 1024;

/** The body of an answer that is JSON, or lines of JSON: packages see no error in it. */
export class JsonBody {
  #pieces: Uint8Array[] = [];
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    while (this.#size - (this.#pieces[0]?.length ?? 0) >= MAX_BYTES) this.#size -= this.#pieces.shift()?.length ?? 0;
  }

  /** The whole body, or its last line; `undefined` if neither is JSON. */
  get value(): unknown {
    const text = Buffer.concat(this.#pieces).toString().trim();
    return jsonIn(text) ?? jsonIn(text.slice(text.lastIndexOf('\n') + 1));
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // it is shown that it is not a stream
  }
}
