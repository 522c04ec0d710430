import { aiSdkEmbedder, isAiSdkEmbeddings } from '../../activities/tool-filter/embeddings/ai-sdk-embedder';
import type { Embedder } from '../../activities/tool-filter/embeddings/embedder';
import { embeddingRanker } from '../../activities/tool-filter/embeddings/embedding-ranker';
import { localEmbedder, missingOf } from '../../activities/tool-filter/embeddings/local-embedder';
import { serverEmbedder } from '../../activities/tool-filter/embeddings/server-embedder';
import type { Ranker } from '../../activities/tool-filter/ranker';
import type { Log } from '../../agent/define/context';
import type { EmbeddingModel } from '../../agent/tool-filter/embedding-model';
import { embedderFolder } from '../../runtime/binaries/embedder-files';

/**
 * The rankers of a worker, by the alias of their embedding model. A local model that is not installed has none: the log
 * says so, and tools are ranked by their words.
 */
export function loadRankers(
  models: Readonly<Record<string, EmbeddingModel>>,
  log: Pick<Log, 'warn'>,
): Record<string, Ranker> {
  const rankers: Record<string, Ranker> = {};
  for (const [alias, model] of Object.entries(models)) {
    const embedder = embedderOf(alias, model, log);
    if (embedder !== undefined) rankers[alias] = embeddingRanker(alias, embedder);
  }
  return rankers;
}

function embedderOf(alias: string, model: EmbeddingModel, log: Pick<Log, 'warn'>): Embedder | undefined {
  if (isAiSdkEmbeddings(model)) return aiSdkEmbedder(model);
  if (!('local' in model)) return serverEmbedder(model);
  const folder = embedderFolder();
  const missing = missingOf(folder);
  if (missing.length === 0) return localEmbedder(folder);
  const about = { embeddings: alias, folder, missing };
  log.warn(
    about,
    'The local embedding model is not installed: tools are ranked by their words. Run `npm run fetch:embedder`.',
  );
  return undefined;
}
