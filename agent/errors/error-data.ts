import type { BusyWorkers } from './busy-workers';
import type { ServerFault, TriedServer } from './tried-server';

/** The data of each type of error, from which its message is made. */
export interface ErrorData {
  /**
   * `defineAgent`, `defineTool` or an option got an invalid value; `place` names it. `file` and `line` are set for a
   * module that temporal.yaml names.
   */
  InvalidDefinition: { place: string; problem: string; file?: string; line?: number };
  /** A module of agents has a syntax error, imports what is missing, or throws. `loadedBy`: the module that imports it. */
  ModuleNotLoaded: { file: string; line?: number; column?: number; loadedBy?: string; problem: string };
  /** The input of a run does not fit. */
  InvalidInput: { agent: string; problem: string };
  /** temporal.yaml, or a `TEMPORAL_*` variable, is wrong. */
  InvalidConfig: { file: string; line?: number; column?: number; problem: string };
  /** A run was requested with a name that no agent can have. */
  InvalidAgentName: { name: string };
  /** A run would wait for itself, or be nested too deep below others. */
  DelegationRefused: { agent: string; problem: string };
  /** No worker of the task queue has the agent, after a minute of trying. */
  UnknownAgent: { agent: string; known: string[] };
  /** No worker of the task queue has this version of the agent's contract, after a minute of trying. */
  UnknownVersion: { agent: string; version: string; known: string[] };
  /** Another run has this id. */
  IdInUse: { id: string; problem: string };
  /** There is no run with this id in the namespace. */
  RunNotFound: { id: string };
  /**
   * No Temporal server answers. `address` is missing where only the connection knows it; `fault` and `tried` are set where
   * a connection could not be made.
   */
  NoServer: { address?: string; problem: string; fault?: ServerFault; tried?: TriedServer };
  /**
   * The storage of large payloads cannot be used. `where` is missing where what is to be read is not in the storage of
   * this process.
   */
  StorageUnavailable: { where?: string; problem: string };
  /**
   * The Temporal server refused a call; `status` is its gRPC status, such as `PERMISSION_DENIED`. With `tried` it refused the
   * connection, and `id` is empty.
   */
  ServerRefused: { id: string; status: string; problem: string; tried?: TriedServer };
  /** The server has no such namespace. */
  NamespaceNotFound: { namespace: string };
  /** A Temporal program was not found. */
  NoBinary: { binary: string; tried: string[] };
  /** A requested port is in use. */
  PortTaken: { port: number; what: string };
  /** The dev server ended or did not start. */
  DevServerFailed: { problem: string };
  /** The namespace has a search attribute with our name and another type. */
  SearchAttributeConflict: { name: string; namespace: string; has: string; needs: string };
  /** No worker answered within the client's `workerTimeout`. */
  NoWorker: { taskQueue: string; busy?: BusyWorkers; build?: PinnedBuild };
  /** All model calls of the quota and the concluding call were made without a valid output. */
  ToolQuotaExhausted: { max: number; problem?: string };
  /**
   * The model repeated a call again and again, or answered nothing, and its conclusion was not valid. `problem` is what was
   * wrong with it.
   */
  NoProgress: { why: 'repeating' | 'silent'; problem?: string };
  /**
   * The budget of a run, or of an exchange, leaves nothing for a call that concludes, or the conclusion was not valid.
   * `limit` and `spent` are tokens, calls, milliseconds, or money in `currency`.
   */
  BudgetExhausted: {
    id: string;
    scope: 'run' | 'exchange';
    kind: 'tokens' | 'cost' | 'toolCalls' | 'modelCalls' | 'time' | 'deadline';
    limit: number;
    spent: number;
    currency?: string;
    problem?: string;
  };
  /** A budget was not raised. */
  BudgetNotRaised: { id: string; problem: string };
  /** A run with a budget in money cannot use a model without prices in its currency. */
  ModelUnpriced: { alias: string; problem: string };
  /** The model gave no valid output in the allowed attempts; `problem` is what was wrong with the last. */
  OutputInvalid: { attempts: number; problem: string };
  /** Calls in text: the model made the same mistake, or got the same error from the same tool, too often in a row. */
  ErrorRepeated: { type: string; name?: string; message: string; times: number };
  /** The model or a filter of its provider refused. */
  Refused: { model: string; problem: string };
  /** The run was cancelled. */
  Cancelled: { id: string };
  /** A client or the server terminated the run. */
  Terminated: { id: string; problem: string };
  /** The run reached a time limit that was set when it was started. */
  TimedOut: { id: string };
  /** The agent's contextBuilder threw, or returned no messages. */
  ContextBuilderFailed: { agent: string; problem: string };
  /** The agent's outputBuilder threw, or returned neither data nor an error. */
  OutputBuilderFailed: { agent: string; problem: string };
  /** System prompt and first messages are larger than one payload can be. */
  ContextTooLarge: { bytes: number; max: number };
  /**
   * An agent, or a person who switches the model of a run, names an alias that the worker's configuration does not have.
   * `agent`: which one names it, when a worker starts.
   * `problem`: no worker could look it up.
   */
  UnknownModel: { alias: string; known: string[]; agent?: string; problem?: string };
  /** The model server refused the key, or the request had none (`keyless`). */
  ModelUnauthorized: { model: string; address: string; problem: string; adapter?: string; keyless?: true };
  /** The model server has no such model, or nothing at its address: most answer 404 to both. */
  ModelNotFound: { model: string; address: string; problem: string; adapter?: string };
  /**
   * The model server called the request invalid. `redirects`: it is at another address, to which nothing is sent. `adapter` is
   * set if another one than ours speaks with it, and only then.
   */
  ModelRequestInvalid: { model: string; address: string; problem: string; redirects?: true; adapter?: string };
  /** The transcript no longer fits the model's window. */
  ModelContextTooLong: { model: string; problem: string };
  /** The account has no money or quota left. */
  ModelQuotaExceeded: { model: string; address: string; problem: string; adapter?: string };
  /**
   * All attempts met the rate limit. `retryAfter`: milliseconds that the server asks to wait, after which the run asks `later`,
   * since many may wait. `adapter`: `function`, if a function speaks with it.
   */
  ModelRateLimited: {
    model: string;
    address: string;
    problem: string;
    retryAfter?: number;
    later?: number;
    adapter?: string;
  };
  /**
   * In all attempts the model server did not answer or stopped in the middle. `adapter`: what speaks with it, if not we.
   * `answered`: it can be reached, and said what is wrong or stopped in the middle.
   */
  ModelUnavailable: {
    model: string;
    address: string;
    problem: string;
    retryAfter?: number;
    later?: number;
    adapter?: string;
    answered?: true;
  };
  /** The server that answers is not a model server, or the function of a model yields what is not a part. */
  ModelAnswerUnreadable: { model: string; address: string; problem: string; adapter?: string };
  /** An answer exceeded a limit in bytes; `problem` names it. */
  ModelAnswerTooLarge: { model: string; address: string; problem: string; adapter?: string };
  /** An answer kept arriving and was not complete in time; `problem` names the limit. */
  ModelAnswerTooSlow: { model: string; address: string; problem: string; adapter?: string };
  /** `command` of a server that the worker starts, `url` of one that runs elsewhere; `advice` says what to do. */
  McpServerFailed: { server: string; command?: string; url?: string; problem: string; advice?: string };
  /** What was sent is not a valid event. */
  InvalidEvent: { problem: string };
  /** A webhook's signature is missing, wrong, or too old. */
  InvalidSignature: { problem: string };
  /** An invalid decision: `problem` says what is missing or wrong. */
  InvalidDecision: { problem: string };
  /** No call with this id waits for a person. */
  ApprovalNotFound: { id: string; toolUseId: string; pending: string[] };
  /** Another decision came first. */
  ApprovalDecided: { id: string; toolUseId: string; decision: string; by: string; at: string };
  /** There was no decision in time. A run that ended because of it fails with this error. */
  ApprovalExpired: { id: string; toolUseId: string; tool?: string };
  /** The decision is about arguments other than those of the pending call. */
  ApprovalMismatch: { id: string; toolUseId: string; expected: string; given: string };
  /** The sender of the decision is not among the deciders. `roles`: those that the decision gave, if any. */
  NotADecider: { id: string; toolUseId: string; by: string; roles?: string[]; deciders: string[] };
  /** Edited arguments do not fit the tool's schema. */
  InvalidEdit: { id: string; toolUseId: string; tool: string; problem: string };
  /** A message or command to a run is not valid. */
  InvalidMessage: { problem: string };
  /** A payload is broken, has an encoding that the worker does not know, or its codec could not decode it. */
  UnreadablePayload: { what: string; problem: string };
  /** A message is too large for any call of the model. All numbers are tokens. */
  MessageTooLarge: { id: string; tokens: number; max: number; window: number };
  /** Only a conversation can do this. */
  NotAConversation: { id: string; what: string };
  /** Nothing is being answered. */
  NothingToInterrupt: { id: string };
  /** The transcript has no messages beside those that stay. */
  NothingToCompact: { id: string; keep: number };
  /** The run does not wait for its model. */
  NothingToRetry: { id: string };
  /** The Temporal run no longer has these facts. */
  FactsMissing: { id: string; from: number; to: number };
  /** There is no last answer to regenerate. */
  NothingToRegenerate: { id: string; problem: string };
  /** No question with this id waits. */
  QuestionNotFound: { id: string; questionId: string; pending: string[] };
  /** Another answer came first, or the question was withdrawn. */
  QuestionClosed: { id: string; questionId: string; action: string; by?: string; at: string };
  /** There was no answer in time. A run that ended because of it fails with this error. */
  QuestionExpired: { id: string; questionId: string; tool?: string };
  /** The answer does not fit the question's schema. */
  InvalidReply: { id: string; questionId: string; problem: string };
  /** There are fewer effects than the request wants to undo. */
  NothingToUndo: { id: string; asked: number; possible: number };
  /** The call has no inverse or had no effect. */
  NotUndoable: { id: string; toolUseId: string; tool?: string; problem: string };
  /** The call was undone before. */
  AlreadyUndone: { id: string; toolUseId: string; tool: string; at: string; by?: string };
  /** The server cannot list runs, or cannot filter them: `missing` is the search attribute that it does not have. */
  RunsNotListed: { namespace: string; missing?: string; problem?: string };
  /** Only a run that has ended can be deleted. */
  RunNotEnded: { id: string };
  /** The command was applied before, in an earlier history of the run, and its answer is no longer known. */
  AlreadyApplied: { id: string };
  /** The run has reached the number of updates that the server allows. */
  RunFull: { id: string };
  /**
   * The run has ended: it no longer takes decisions or answers. `exchange`: it ended without an answer to that exchange.
   * `undo`: it ended before the outcome of these calls' undo was known.
   */
  RunEnded: { id: string; status: string; exchange?: number; undo?: string[] };
  /** An agent names an outlet that the worker does not have. */
  UnknownOutlet: { outlet: string; known: string[] };
  /** An event could not be sent. */
  OutletFailed: { outlet: string; problem: string };
  /** An activity could not fetch the transcript from its run. */
  RunLost: { problem: string };
  /** A run continues from a state of another version of Holdfast; `known` is the version that the worker reads. */
  UnknownStateVersion: { version: number; known: number };
  /** A run decides as a newer version of Holdfast does; `known` is the version of the decisions that the worker knows. */
  UnknownDecisions: { version: number; known: number };
  /** A run continues from a damaged state. */
  InvalidCarriedState: { problem: string };
  /** Any failure without a separate type. */
  RunFailed: { id: string; problem: string };
}

/** Stable names of all errors; docs/reference/errors.md has a section for each. */
export type ErrorType = keyof ErrorData;

/** The version of its workers that a run is pinned to. */
export interface PinnedBuild {
  /** Name of the worker deployment. */
  deployment: string;
  buildId: string;
}
