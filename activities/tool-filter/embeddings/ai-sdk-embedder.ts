import { isRecord } from '../../../agent/define/checks/fail';
import type { AiSdkEmbeddingModel, EmbeddingModel } from '../../../agent/tool-filter/embedding-model';
import { within } from '../../../runtime/abort/within';
import { EMBED_TIMEOUT, type Embedder } from './embedder';

/** Texts of one call, unless the provider takes fewer. */
const BATCH = 32;

/** By shape: Holdfast does not depend on the AI SDK. */
export function isAiSdkEmbeddings(model: EmbeddingModel): model is AiSdkEmbeddingModel {
  return isRecord(model) && 'doEmbed' in model && typeof model.doEmbed === 'function';
}

/** An embedding model of the AI SDK. */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel): Embedder {
  // Its options differ by version only in what Holdfast does not set.
  const embed = model.doEmbed.bind(model) as (options: {
    values: string[];
    abortSignal: AbortSignal;
  }) => ReturnType<AiSdkEmbeddingModel['doEmbed']>;
  const most = typeof model.maxEmbeddingsPerCall === 'number' ? model.maxEmbeddingsPerCall : BATCH;
  return {
    id: `${model.provider}\n${model.modelId}`,
    batch: Math.max(1, Math.min(BATCH, most)),
    embed: (texts, { signal }) =>
      within(EMBED_TIMEOUT, signal, async (abortSignal) => {
        const { embeddings } = await embed({ values: [...texts], abortSignal });
        return embeddings;
      }),
  };
}
