import type { BusyWorkers } from './busy-workers';

/** The data of each error; its text is made from it in one place, {@link TEXT}. */
export interface ErrorData {
  /** `defineAgent`, `defineTool` or an option was given what it cannot use; `place` names it. */
  InvalidDefinition: { place: string; problem: string };
  /** What a run was started with does not fit. */
  InvalidInput: { agent: string; problem: string };
  /** temporal.yaml, or a `TEMPORAL_*` variable, is wrong. */
  InvalidConfig: { file: string; line?: number; column?: number; problem: string };
  /** A run was asked for by a name that no agent can have. */
  InvalidAgentName: { name: string };
  /** A run would wait for itself, or stand too deep below others. */
  DelegationRefused: { agent: string; problem: string };
  /** No worker of the task queue has the agent, after a minute of trying. */
  UnknownAgent: { agent: string; known: string[] };
  /** Another run has this id. */
  IdInUse: { id: string; problem: string };
  /** There is no run of this id in the namespace. */
  RunNotFound: { id: string };
  /** No Temporal server answers. */
  NoServer: { address: string; problem: string };
  /** The server has no such namespace. */
  NamespaceNotFound: { namespace: string };
  /** A program of Temporal's was found nowhere. */
  NoBinary: { binary: string; tried: string[] };
  /** A port that was asked for is in use. */
  PortTaken: { port: number; what: string };
  /** The dev server ended, or did not come up. */
  DevServerFailed: { problem: string };
  /** The namespace has a search attribute of our name and another type. */
  SearchAttributeConflict: { name: string; namespace: string; has: string; needs: string };
  /** No worker answered within the client's patience. */
  NoWorker: { taskQueue: string; busy?: BusyWorkers };
  /** All model calls of the quota were made, and the concluding one, without a valid output. */
  ToolQuotaExhausted: { max: number; problem?: string };
  /** The model gave no valid output in the attempts that the agent allows; `problem` is what was wrong with the last. */
  OutputInvalid: { attempts: number; problem: string };
  /** The model, or a filter of its provider, refused. */
  Refused: { model: string; problem: string };
  /** Somebody cancelled the run. */
  Cancelled: { id: string };
  /** Somebody terminated the run, or the server did. */
  Terminated: { id: string; problem: string };
  /** The agent's contextBuilder threw, or returned no messages. */
  ContextBuilderFailed: { agent: string; problem: string };
  /** The agent's outputBuilder threw, or returned neither data nor an error. */
  OutputBuilderFailed: { agent: string; problem: string };
  /** System prompt and first messages are larger than one payload can be. */
  ContextTooLarge: { bytes: number; max: number };
  /** An agent names an alias that the worker's configuration does not have. */
  UnknownModel: { alias: string; known: string[] };
  /** The model server refused the key. */
  ModelUnauthorized: { model: string; address: string; problem: string };
  /** The model server has no such model. */
  ModelNotFound: { model: string; address: string; problem: string };
  /** The model server called the request invalid. */
  ModelRequestInvalid: { model: string; address: string; problem: string };
  /** The transcript no longer fits the model's window. */
  ModelContextTooLong: { model: string; problem: string };
  /** The account has no money or quota left. */
  ModelQuotaExceeded: { model: string; address: string; problem: string };
  /** The rate limit held on for all attempts. */
  ModelRateLimited: { model: string; address: string; problem: string; retryAfter?: number };
  /** The model server did not answer, or broke off, in all attempts. */
  ModelUnavailable: { model: string; address: string; problem: string; retryAfter?: number };
  /** Something answers that is no model server. */
  ModelAnswerUnreadable: { model: string; address: string; problem: string };
  /** An answer went past a limit of bytes; `problem` names it. */
  ModelAnswerTooLarge: { model: string; address: string; problem: string };
  /** An answer that kept arriving was not whole in time; `problem` names the limit. */
  ModelAnswerTooSlow: { model: string; address: string; problem: string };
  /** `command` of a server that is started, `url` of one that is running elsewhere; `advice` says what to do. */
  McpServerFailed: { server: string; command?: string; url?: string; problem: string; advice?: string };
  /** What was sent is no event that anybody could take. */
  InvalidEvent: { problem: string };
  /** A webhook's signature is missing, wrong, or too old. */
  InvalidSignature: { problem: string };
  /** A decision that is none: `problem` says what of it is missing or wrong. */
  InvalidDecision: { problem: string };
  /** No call of this id waits for a person. */
  ApprovalNotFound: { id: string; toolUseId: string; pending: string[] };
  /** Somebody was quicker. */
  ApprovalDecided: { id: string; toolUseId: string; decision: string; by: string; at: string };
  /** Nobody decided in time; where a run ended for it, it says so. */
  ApprovalExpired: { id: string; toolUseId: string; tool?: string };
  /** The decision is about other arguments than those that wait. */
  ApprovalMismatch: { id: string; toolUseId: string; expected: string; given: string };
  /** Whoever decided is not among those who may. */
  NotADecider: { id: string; toolUseId: string; by: string; deciders: string[] };
  /** Edited arguments break the tool's schema. */
  InvalidEdit: { id: string; toolUseId: string; tool: string; problem: string };
  /** What was said to a run has no form that it can take. */
  InvalidMessage: { problem: string };
  /** A payload has an encoding that the worker does not know, is broken, or its codec could not decode it. */
  UnreadablePayload: { what: string; problem: string };
  /** A message that no call of the model could carry: the window is in tokens. */
  MessageTooLarge: { id: string; bytes: number; max: number; window: number };
  /** Only a conversation can do this. */
  NotAConversation: { id: string; what: string };
  /** Nothing is being answered. */
  NothingToInterrupt: { id: string };
  /** The run does not wait for its model. */
  NothingToRetry: { id: string };
  FactsMissing: { id: string; from: number; to: number };
  /** There is no last answer to make anew. */
  NothingToRegenerate: { id: string; problem: string };
  /** No question of this id waits. */
  QuestionNotFound: { id: string; questionId: string; pending: string[] };
  /** Somebody was quicker, or the question was withdrawn. */
  QuestionClosed: { id: string; questionId: string; action: string; by?: string; at: string };
  /** Nobody answered in time; where a run ended for it, it says so. */
  QuestionExpired: { id: string; questionId: string; tool?: string };
  /** The answer breaks the question's schema. */
  InvalidReply: { id: string; questionId: string; problem: string };
  /** There are fewer effects than were to be undone. */
  NothingToUndo: { id: string; asked: number; possible: number };
  /** The call has no inverse, or took no effect. */
  NotUndoable: { id: string; toolUseId: string; tool?: string; problem: string };
  /** The call was taken back before. */
  AlreadyUndone: { id: string; toolUseId: string; tool: string; at: string; by?: string };
  /** The server cannot list runs, or not by what was asked for: `missing` is the search attribute it does not have. */
  RunsNotListed: { namespace: string; missing?: string; problem?: string };
  /** Only a run that has ended can be deleted. */
  RunNotEnded: { id: string };
  /** The server lets a run take no more updates. */
  RunFull: { id: string };
  /** The run has ended: nothing can be decided or answered any more. */
  RunEnded: { id: string; status: string };
  /** An agent names an outlet that the worker does not have. */
  UnknownOutlet: { outlet: string; known: string[] };
  /** An event could not be sent. */
  OutletFailed: { outlet: string; problem: string };
  /** An activity could not fetch the transcript from its run. */
  RunLost: { problem: string };
  /** A run goes on from a state that another version of Holdfast wrote; `known` is the version that the worker reads. */
  UnknownStateVersion: { version: number; known: number };
  /** A run goes on from a state that is damaged. */
  InvalidCarriedState: { problem: string };
  /** Whatever has no type of its own. */
  RunFailed: { id: string; problem: string };
}

/** Stable names of everything that can go wrong; docs/errors has a section for each. */
export type ErrorType = keyof ErrorData;
