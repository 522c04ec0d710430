import type { Log } from '../../agent/define/context';
import { BM25, DEFAULT_RANKER } from '../../agent/tool-filter/tool-filter';
import type { RankedTool } from '../../agent/tool-filter/tool-text';
import { defined } from '../../agent/values/defined';
import { thrownProblem } from '../failures/thrown-problem';
import { bm25Ranker } from './bm25';
import { type Ranker, type Ranking, rankTools } from './ranker';

/** Milliseconds for which a ranker that has failed is not asked again: each turn would wait for its time-out. */
const REST = 30_000;

/** Characters of a problem, which becomes part of a fact of each turn. */
const MAX_PROBLEM = 200;

/** A ranking, and what made it. */
export interface Ranked<Tool> extends Ranking<Tool> {
  /** The name of the ranker. */
  ranker: string;
  /** Why the ranker that the agent names did not make it. */
  problem?: string;
}

/** How tools are ranked for an agent. */
export interface RankOptions<Tool> {
  /** `bm25`, or an alias of the worker's configuration. Missing: the alias `default` if there is one, else `bm25`. */
  ranker?: string | undefined;
  /** Which of the tools may be in the ranking. Default: all. */
  among?: (tool: Tool) => boolean;
  signal?: AbortSignal;
}

/** The rankers of a worker. */
export class Rankers {
  readonly #words = bm25Ranker();
  readonly #resting = new Map<string, { until: number; problem: string }>();

  /**
   * @param configured by alias
   * @param now milliseconds, for tests
   */
  constructor(
    private readonly configured: Readonly<Record<string, Ranker>>,
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * The `n` tools that fit a text best. Where the ranker of the agent fails, or the worker does not have it, their words
   * decide: a run must not depend on it.
   * @throws only if `signal` aborts
   */
  async rank<Tool extends RankedTool>(
    query: string,
    tools: readonly Tool[],
    n: number,
    { ranker: alias = DEFAULT_RANKER, ...options }: RankOptions<Tool> = {},
  ): Promise<Ranked<Tool>> {
    const ranker = Object.hasOwn(this.configured, alias) ? this.configured[alias] : undefined;
    const isMissing = ranker === undefined && alias !== BM25 && alias !== DEFAULT_RANKER;
    const byWords = async (problem?: string) => ({
      ...(await rankTools(query, tools, n, { ranker: this.#words, ...options })),
      ranker: BM25,
      ...defined({ problem }),
    });
    if (ranker === undefined) return byWords(isMissing ? `this worker has no embeddings \`${alias}\`` : undefined);
    const rest = this.#resting.get(alias);
    if (rest !== undefined && rest.until > this.now()) return byWords(rest.problem);
    try {
      const ranking = await rankTools(query, tools, n, { ranker, ...options });
      this.#resting.delete(alias);
      return { ...ranking, ranker: ranker.name };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const problem = thrownProblem(error).slice(0, MAX_PROBLEM);
      this.#resting.set(alias, { until: this.now() + REST, problem });
      this.log.warn({ embeddings: alias, problem }, 'The embeddings fail: tools are ranked by their words.');
      return byWords(problem);
    }
  }
}

/** Ranks tools by their words. */
export const BY_WORDS = new Rankers({}, { warn() {} });
