import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './download';

/** What the local embedding model consists of, in its folder. */
export const LOCAL_FILES = [
  'model.onnx',
  'tokenizer.json',
  'tokenizer_config.json',
  'node_modules/onnxruntime-node/package.json',
  'node_modules/@huggingface/tokenizers/package.json',
] as const;

/** The folder of the local embedding model: `HOLDFAST_EMBEDDER`, else one in the cache of the user. */
export function embedderFolder(env: Environment = process.env): string {
  if (env.HOLDFAST_EMBEDDER) return env.HOLDFAST_EMBEDDER;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'holdfast', 'minilm-1');
}
