import { jsonBytes } from '../values/json';

/** A map that drops the entries set longest ago when it has too many entries or too many bytes. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  #bytes = 0;

  constructor(private readonly max: { entries: number; bytes: number }) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets an entry, which is then the newest. */
  set(key: string, value: Value): void {
    this.delete(key);
    const bytes = jsonBytes(value);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.size <= this.max.entries && this.#bytes <= this.max.bytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** The oldest first. */
  values(): Value[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }
}
