import type { ErrorData, ErrorType } from '../../../agent/errors/error';

/** Errors of what a run says, waits for and hands on; all others are of definitions, servers and models. */
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
  | 'RunEnded'
  | 'UnknownOutlet'
  | 'OutletFailed'
  | 'RunLost'
  | 'UnknownStateVersion'
  | 'InvalidCarriedState'
  | 'RunFailed';

/** Data of each error and what people are told of it, so that a new error does not compile before it has a text. */
export type Texts<Types extends ErrorType> = { [T in Types]: [data: ErrorData[T], text: string][] };

/** The rows of a table: type, data, and what shall be said. */
export function rows<Types extends ErrorType>(texts: Texts<Types>): [ErrorType, ErrorData[ErrorType], string][] {
  return Object.entries<[ErrorData[ErrorType], string][]>(texts).flatMap(([type, cases]) =>
    cases.map(([data, text]): [ErrorType, ErrorData[ErrorType], string] => [type as ErrorType, data, text]),
  );
}
