import { embeddingRanker } from '../../activities/tool-filter/embeddings/embedding-ranker';
import { localEmbedder, missingOf } from '../../activities/tool-filter/embeddings/local-embedder';
import { Rankers } from '../../activities/tool-filter/rankers';
import type { RankedTool } from '../../agent/tool-filter/tool-text';
import { embedderFolder } from '../../runtime/binaries/embedder-files';
import type { Figure, Measured } from '../figure';
import { manyTools, TASKS } from '../tools/corpus';
import { tasksFound } from '../tools/tasks-found';

/** Of 100 tools, and of 526, for each ranker: the recall among the first 15, and the time of one ranking. */
export const toolRecall: readonly Figure[] = [100, 526].flatMap((count) => [
  figure(`tools_${count}_bm25`, count, 'words', () => new Rankers({}, { warn() {} })),
  figure(`tools_${count}_minilm`, count, 'MiniLM in the worker', () => {
    const folder = embedderFolder();
    if (missingOf(folder).length > 0) return undefined;
    return new Rankers({ default: embeddingRanker('minilm', localEmbedder(folder)) }, { warn() {} });
  }),
]);

function figure(name: string, count: number, by: string, rankers: () => Rankers | undefined): Figure {
  return {
    name,
    what: `recall@15 of ${TASKS.length} requests for ${count} tools, ranked by ${by}`,
    unit: '%',
    async measure() {
      const ready = rankers();
      if (ready === undefined) return { value: null, note: 'not installed: `npm run fetch:embedder`' };
      return recallOf(ready, manyTools(count));
    },
  };
}

async function recallOf(rankers: Rankers, tools: readonly RankedTool[]): Promise<Measured> {
  // The first ranking reads all tools.
  await rankers.rank('any', tools, 15);
  const since = performance.now();
  const atOnce = await tasksFound(rankers, tools, 0);
  const ms = (performance.now() - since) / TASKS.length;
  const searched = await tasksFound(rankers, tools, 2);
  return {
    value: (100 * atOnce) / TASKS.length,
    note: `${ms.toFixed(1)} ms a ranking; within two searches ${searched} of ${TASKS.length}`,
  };
}
