import type { LeftFacts } from '../facts/left-facts';
import { QUERY, type TranscriptPage } from '../queries';

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

/** What a run that has ended in a history answers to queries, beside its facts and messages, by {@link askedAs}. */
export interface ArchivedEnd {
  runId: string;
  answers: { readonly [asked: string]: unknown };
}

/** Queries whose answers the archive keeps of a run that has ended. */
export const ASKED_AT_END: readonly (readonly [name: string, argument?: string])[] = [
  [QUERY.state],
  [QUERY.pending],
  [QUERY.chain],
  [QUERY.answer],
  [QUERY.budget],
  [QUERY.pinned, 'manifest'],
  [QUERY.pinned, 'context'],
  [QUERY.pinned, 'summary'],
];

/** A query with its argument, in one word. */
export function askedAs(name: string, argument: unknown): string {
  return typeof argument === 'string' ? `${name} ${argument}` : name;
}
