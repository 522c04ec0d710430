import type { ErrorData, ErrorType } from '../../../agent/errors/error';

/** Errors of messages, waits and hand-over of runs. All others are of definitions, servers and models. */
export type OfRuns =
  | 'InvalidEvent'
  | 'InvalidSignature'
  | 'InvalidDecision'
  | 'ApprovalNotFound'
  | 'ApprovalDecided'
  | 'ApprovalExpired'
  | 'ApprovalMismatch'
  | 'NotADecider'
  | 'InvalidEdit'
  | 'InvalidMessage'
  | 'UnreadablePayload'
  | 'MessageTooLarge'
  | 'NotAConversation'
  | 'NothingToInterrupt'
  | 'NothingToCompact'
  | 'NothingToRetry'
  | 'NothingToRegenerate'
  | 'QuestionNotFound'
  | 'QuestionClosed'
  | 'QuestionExpired'
  | 'InvalidReply'
  | 'NothingToUndo'
  | 'NotUndoable'
  | 'AlreadyUndone'
  | 'RunsNotListed'
  | 'RunNotEnded'
  | 'RunFull'
  | 'AlreadyApplied'
  | 'RunEnded'
  | 'UnknownOutlet'
  | 'OutletFailed'
  | 'RunLost'
  | 'UnknownStateVersion'
  | 'UnknownDecisions'
  | 'InvalidCarriedState'
  | 'RunFailed';

/** Data and message of each error. A new error does not compile until it has a message. */
export type Texts<Types extends ErrorType> = { [T in Types]: [data: ErrorData[T], text: string][] };

/** The rows of a table: type, data and expected message. */
export function rows<Types extends ErrorType>(texts: Texts<Types>): [ErrorType, ErrorData[ErrorType], string][] {
  return Object.entries<[ErrorData[ErrorType], string][]>(texts).flatMap(([type, cases]) =>
    cases.map(([data, text]): [ErrorType, ErrorData[ErrorType], string] => [type as ErrorType, data, text]),
  );
}
