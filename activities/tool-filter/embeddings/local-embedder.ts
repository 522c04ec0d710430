import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LOCAL_FILES } from '../../../runtime/binaries/embedder-files';
import type { Embedder } from './embedder';

/** Tokens of a text that the model reads: it was trained with 256. */
const MAX_TOKENS = 256;
/** Texts between which other work of the worker has its turn: each takes some milliseconds. */
const BATCH = 8;

/** The parts of `onnxruntime-node` that are used. Holdfast does not depend on it, so its types are not here. */
interface Onnx {
  InferenceSession: { create(path: string, options: { intraOpNumThreads: number }): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => object;
}
interface Session {
  run(inputs: {
    [name: string]: object;
  }): Promise<{ last_hidden_state?: { data: Float32Array; dims: readonly number[] } }>;
}
/** The part of `@huggingface/tokenizers` that is used. */
interface Tokenizers {
  Tokenizer: new (tokenizer: unknown, config: unknown) => { encode(text: string): { ids: number[] } };
}

/** What is missing of the local embedding model in a folder. Empty: it can be used. */
export function missingOf(folder: string): string[] {
  return LOCAL_FILES.filter((file) => !existsSync(join(folder, file)));
}

/**
 * all-MiniLM-L6-v2 in this process, on one thread, loaded with the first text.
 * @param folder where `npm run fetch:embedder` has put it
 */
export function localEmbedder(folder: string): Embedder {
  let loading: ReturnType<typeof load> | undefined;
  return {
    id: 'local minilm',
    batch: BATCH,
    async embed(texts, { signal }) {
      loading ??= load(folder);
      const vectorOf = await loading;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(await vectorOf(text));
      }
      return vectors;
    },
  };
}

async function load(folder: string): Promise<(text: string) => Promise<Float32Array>> {
  const require = createRequire(join(folder, 'package.json'));
  const { InferenceSession, Tensor } = require('onnxruntime-node') as Onnx;
  const { Tokenizer } = require('@huggingface/tokenizers') as Tokenizers;
  const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const tokenizer = new Tokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  const session = await InferenceSession.create(join(folder, 'model.onnx'), { intraOpNumThreads: 1 });
  return async (text) => {
    const ids = tokenizer.encode(text).ids.slice(0, MAX_TOKENS);
    const tensor = (value: (id: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const { last_hidden_state: state } = await session.run({
      input_ids: tensor((id) => id),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    });
    if (state === undefined) throw new Error('the model has no output `last_hidden_state`');
    return meanOf(state.data, state.dims[2] ?? 0);
  };
}

/** The mean of the vectors of all tokens, as the model was trained. */
function meanOf(data: Float32Array, width: number): Float32Array {
  const mean = new Float32Array(width);
  const tokens = data.length / width;
  data.forEach((value, i) => {
    mean[i % width] = (mean[i % width] ?? 0) + value / tokens;
  });
  return mean;
}
