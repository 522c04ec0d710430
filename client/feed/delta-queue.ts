import type { StreamDelta } from '../../agent/protocol/stream';
import { sizeOf } from '../../runtime/bus/answers-in-progress';

/** Maximum deltas, and their characters, that wait for a reader. Later ones are lost, and the gap shows it. */
const MAX_WAITING = 10_000;
const MAX_SIZE = 4_000_000;

/** Deltas that wait for a reader, in order. */
export class DeltaQueue {
  #deltas: StreamDelta[] = [];
  #size = 0;

  push(delta: StreamDelta): void {
    if (this.#deltas.length >= MAX_WAITING || this.#size >= MAX_SIZE) return;
    this.#deltas.push(delta);
    this.#size += sizeOf(delta);
  }

  shift(): StreamDelta | undefined {
    const delta = this.#deltas.shift();
    if (delta !== undefined) this.#size -= sizeOf(delta);
    return delta;
  }

  get length(): number {
    return this.#deltas.length;
  }

  takeAll(): StreamDelta[] {
    const all = this.#deltas;
    this.#deltas = [];
    this.#size = 0;
    return all;
  }
}
