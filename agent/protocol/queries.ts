import type { PendingApproval } from '../approvals/approval';
import type { PendingQuestion } from '../conversation/questions';
import type { Message } from '../model/message';
import type { PendingService } from './calls/pending-service';

/** Why a query failed that would have answered ahead of the run's history. The client queries again. */
export const QUERY_AGAIN = 'The run has events that it has not processed yet: query again';

/** The beginning of a history whose workflow tasks are known to be complete. It is the second argument of a query. */
export interface CompletedPart {
  runId: string;
  /** Its length. */
  events: number;
}

/** Names of the queries that a run answers. */
export const QUERY = {
  state: 'holdfast.state',
  transcript: 'holdfast.transcript',
  facts: 'holdfast.facts',
  pinned: 'holdfast.pinned',
  pending: 'holdfast.pending',
  budget: 'holdfast.budget',
  answer: 'holdfast.answer',
  chain: 'holdfast.chain',
} as const;

/** A model that gives no answer, and the run that waits for it. Times are milliseconds since 1970. */
export interface PendingModel {
  /** The run that waits. */
  id: string;
  /** Its agent. */
  agent: string;
  /** Alias of the model. */
  model: string;
  /** When the first call failed. */
  since: number;
  /** Calls that failed one after another. */
  failures: number;
  /** Why the last one failed. */
  error: { type: string; message: string };
  /** When the model is asked again. Missing while it is. */
  nextAt?: number;
}

/** What a run waits for, in the order in which the waits began. */
export interface Pending {
  /** Calls that wait for a decision. */
  approvals: PendingApproval[];
  /** Calls that wait for the answer of a service. */
  services: PendingService[];
  /** Questions that wait for an answer. */
  questions: PendingQuestion[];
  /** Models that give no answer, at most one of each run. */
  models: PendingModel[];
}

/** Answer of {@link QUERY.transcript}: at most about 1 MB, but at least one message if any is left. */
export interface TranscriptPage {
  epoch: number;
  /** Index of the first message of the page. It is after the one that was asked for if that one is not here. */
  from: number;
  messages: Message[];
  /** Index from which on this Temporal run has all messages. Earlier runs of the chain have those before it. */
  first: number;
  /** If a message before `first` was asked for: those of them that this run has, because models still read them. */
  pinned?: PinnedMessage[];
  /** Length of the whole transcript, in messages. */
  length: number;
}

/** A message apart from those around it. */
export interface PinnedMessage {
  index: number;
  message: Message;
}

/** A Temporal run that an agent's run consisted of before the one that answers. */
export interface ChainLink {
  /** Temporal's id of the run. */
  runId: string;
  /** Number of its last fact. Its first one follows the last fact of the link before. */
  facts: number;
  /** Length of the transcript at its end. */
  messages: number;
}
