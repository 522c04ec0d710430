import { LRUCache } from 'lru-cache';
import { wholeText } from '../../../agent/tool-filter/tool-text';
import { sha256 } from '../../../runtime/sha256';
import type { Ranker } from '../ranker';
import type { Embedder, Vector } from './embedder';

/** Bytes of vectors that are kept: those of 5,000 tools with 1,536 numbers each. */
const CACHE = 32 * 1024 * 1024;

/**
 * Ranks tools by meaning: by the angle between the vector of the text and that of each tool. A vector is made once of
 * each text and model; those that were made before a call failed are kept.
 */
export function embeddingRanker(name: string, embedder: Embedder): Ranker {
  const cache = new LRUCache<string, Float32Array>({ maxSize: CACHE, sizeCalculation: ({ byteLength }) => byteLength });

  async function vectorsOf(texts: readonly string[], kind: 'query' | 'tool', signal: AbortSignal) {
    const keys = texts.map((text) => sha256(`${embedder.id}\n${kind}\n${text}`));
    const found = new Map(keys.map((key) => [key, cache.get(key)]));
    const missing = [...new Set(keys)].filter((key) => found.get(key) === undefined);
    const textOf = new Map(keys.map((key, i) => [key, texts[i] ?? '']));
    for (let from = 0; from < missing.length; from += embedder.batch) {
      const batch = missing.slice(from, from + embedder.batch);
      const made = await embedder.embed(
        batch.map((key) => textOf.get(key) ?? ''),
        { kind, signal },
      );
      if (made.length !== batch.length) throw new Error(`it gave ${made.length} vectors for ${batch.length} texts`);
      batch.forEach((key, i) => {
        const vector = unit(made[i] ?? []);
        cache.set(key, vector);
        found.set(key, vector);
      });
    }
    return keys.map((key) => found.get(key) ?? new Float32Array());
  }

  return {
    name,
    async score(query, tools, signal = new AbortController().signal) {
      const [wanted = new Float32Array()] = await vectorsOf([query], 'query', signal);
      const vectors = await vectorsOf(tools.map(wholeText), 'tool', signal);
      return vectors.map((vector) => product(wanted, vector));
    },
  };
}

/** The vector with the length 1. */
function unit(vector: Vector): Float32Array {
  const numbers = Float32Array.from(vector);
  const length = Math.sqrt(product(numbers, numbers));
  if (!Number.isFinite(length) || length === 0) throw new Error('it gave a vector without a direction');
  return numbers.map((value) => value / length);
}

function product(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) throw new Error(`it gave vectors of ${one.length} and of ${other.length} numbers`);
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}
