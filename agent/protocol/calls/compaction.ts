import type { ContextBudget, ContextSummary, ContextWindow } from '../../model/context-window';
import type { Spending } from '../../model/cost/spending';
import type { CallBudget, CallModelInput } from './model-call';

/** A person's request to compact now. */
export interface CompactRequest {
  /** Number of the newest messages that stay. Default: that of the agent, else 10. */
  keep?: number;
  /** Who asks. */
  by?: string;
}

/** How a request to compact was taken. */
export interface CompactReceipt {
  /** `now`: no answer is in progress. `next-call`: before the next call of the model. */
  when: 'now' | 'next-call';
  /** Number of messages that are compacted, if no others come before that. */
  messages: number;
  /** Number of the newest fact at that time. */
  after: number;
}

/** How old messages are replaced. */
export type CompactionMethod = 'summarise' | 'tool-results' | 'function';

export interface CompactInput
  extends Pick<CallModelInput, 'pin' | 'turn' | 'prefix' | 'transcript' | 'delta' | 'model' | 'filter'> {
  method: CompactionMethod;
  /** Alias of the model that writes the summary. */
  writer: string;
  /** Number of the newest messages that stay. */
  keep: number;
  trimming: ContextWindow;
  opened: number;
  /** What the run has left. The worker refuses a summary after which the next call might take more. */
  budget?: CallBudget;
}

/** What a compaction changes. */
export interface Compacted {
  /** How much of the window the next call takes, as far as the transcript goes. */
  budget: ContextBudget;
  trimming: ContextWindow;
  /** Missing: the one before stays. */
  summary?: ContextSummary;
  /** Tokens of the next call without the compaction, and with it. */
  tokens: { before: number; after: number };
}

/** `failed`: there is no new summary. Old messages are then left out when the next call does not fit. */
export type CompactResult = ({ ok: true } & Compacted) | { ok: false; error: { type: string; message: string } };

/** What the model that wrote the summary used, also where it failed. */
export interface CompactActivityResult {
  result: CompactResult;
  spent?: Spending & { model: string };
}
