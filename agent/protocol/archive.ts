import type { TranscriptPage } from './activities';
import type { LeftFacts } from './facts/left-facts';

/** Type and id of the workflow that keeps one history of a run in the archive. It begins when that history ends. */
export const ARCHIVE = {
  type: 'holdfast.archive',
  idOf: (runId: string) => `holdfast.archive/${runId}`,
} as const;

/** One history of a run. */
export interface HistoryRef {
  /** The workflow id of the run. */
  id: string;
  /** Temporal's id of the history. */
  runId: string;
}

/** The facts of a history, as the archive keeps them. */
export interface ArchivedFacts extends LeftFacts {
  /** The run has ended in this history. */
  ended: boolean;
}

/** The messages of a history from `first` on, as the archive keeps them. */
export type ArchivedMessages = Pick<TranscriptPage, 'epoch' | 'first' | 'length' | 'messages'>;
