/** Turns texts into vectors: texts with similar meanings get vectors with similar directions. */
export interface Embedder {
  /** Names the model, together with everything else that its vectors depend on. */
  readonly id: string;
  /** Texts of one call. */
  readonly batch: number;
  /**
   * A vector for each text, all of the same length.
   * @throws if it cannot make them in time
   */
  embed(texts: readonly string[], about: { kind: 'query' | 'tool'; signal: AbortSignal }): Promise<readonly Vector[]>;
}

export type Vector = readonly number[] | Float32Array;

/** Milliseconds that one call may take. A turn of the model waits for it. */
export const EMBED_TIMEOUT = 5000;
