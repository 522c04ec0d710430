import MiniSearch from 'minisearch';
import { BM25 } from '../../agent/tool-filter/tool-filter';
import { type RankedTool, type ToolText, toolText } from '../../agent/tool-filter/tool-text';
import { remembered } from '../../agent/values/remembered';
import type { Ranker } from './ranker';
import { synonymsOf, termsOf } from './words';

type Indexed = ToolText & { id: number };

/** The name of a tool says more than its description: a match counts three times. */
const BOOST = { name: 3, description: 1, parameters: 0.5 } satisfies Record<keyof ToolText, number>;
/** Weight of a word that means the same as one of the text. */
const SYNONYM = 0.4;

/**
 * Ranks tools by the words that they share with the text (BM25). It needs no model and takes less than a millisecond for
 * 100 tools. The same tools and text give the same scores.
 */
export function bm25Ranker(): Ranker {
  // A worker keeps the manifests of its runs, and with them the lists of their tools.
  const indexed = remembered(indexOf);
  return {
    name: BM25,
    async score(query, tools) {
      const index = indexed(tools);
      const terms = termsOf(query);
      const more = new Set(synonymsOf(terms));
      const scores = new Array<number>(tools.length).fill(0);
      for (const { id, score } of index.search([...new Set(terms), ...more].join(' '), {
        boost: BOOST,
        boostTerm: (term) => (more.has(term) ? SYNONYM : 1),
      })) {
        scores[id] = score;
      }
      return scores;
    },
  };
}

function indexOf(tools: readonly RankedTool[]): MiniSearch<Indexed> {
  const index = new MiniSearch<Indexed>({
    fields: Object.keys(BOOST),
    tokenize: (text) => termsOf(text),
    processTerm: (term) => term,
    // The text that is searched for consists of terms already.
    searchOptions: { tokenize: (text) => text.split(' ').filter((term) => term !== '') },
  });
  index.addAll(tools.map((tool, id) => ({ id, ...toolText(tool) })));
  return index;
}
