import type { ContextBudget } from '../../model/context-window';
import type { CompactionMethod } from '../calls/compaction';

/** A fact about the context window, before the run gives it its number and time. */
export type ContextFact =
  /** How much of the window the last model call took. */
  | ({ type: 'budget.context' } & ContextBudget)
  /** The oldest messages, before index `from`, are no longer sent. */
  | { type: 'context.trimmed'; turn: number; from: number }
  /** Old messages are being compacted: since the window fills, or since a person (`by`) asked for it. */
  | { type: 'context.compacting'; turn: number; method: CompactionMethod; by?: string }
  /**
   * Old messages are sent in a shorter form: as a summary that a model (`model`) or a function of the agent wrote, or
   * with results of tools in one line. `from`: index of the first message that is sent whole. `tokens`: those of a call
   * before and after it.
   */
  | {
      type: 'context.compacted';
      turn: number;
      method: CompactionMethod;
      from: number;
      tokens: { before: number; after: number };
      summary?: string;
      model?: string;
    }
  /** Old messages could not be replaced by a summary. They are left out when the next call does not fit. */
  | { type: 'context.summary.failed'; turn: number; error: { type: string; message: string } }
  /** Even without old messages, only `left` tokens of the window would be left. The model is asked to conclude. */
  | { type: 'context.full'; turn: number; left: number };
