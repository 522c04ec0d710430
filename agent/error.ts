import type { JsonObject } from './json';
import { registerAttributesCommand } from './search-attributes';

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
  NoWorker: { taskQueue: string };
  /** All model calls of the quota were made, and the concluding one, without a valid output. */
  ToolQuotaExhausted: { max: number };
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
  ModelRateLimited: { model: string; address: string; problem: string };
  /** The model server did not answer, or broke off, in all attempts. */
  ModelUnavailable: { model: string; address: string; problem: string };
  /** Something answers that is no model server. */
  ModelAnswerUnreadable: { model: string; address: string; problem: string };
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
  /** A message that no call of the model could carry: the window is in tokens. */
  MessageTooLarge: { id: string; bytes: number; max: number; window: number };
  /** Only a conversation can do this. */
  NotAConversation: { id: string; what: string };
  /** Nothing is being answered. */
  NothingToInterrupt: { id: string };
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
  /** Whatever has no type of its own. */
  RunFailed: { id: string; problem: string };
}

/** Stable names of everything that can go wrong; docs/errors has a section for each. */
export type ErrorType = keyof ErrorData;

const at = (d: { line?: number; column?: number }) => (d.line === undefined ? '' : `:${d.line}:${d.column ?? 1}`);
const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.map((n) => `\`${n}\``).join(', '));
const said = (problem: string) => (problem === '' ? '' : ` (${problem})`);

const TEXT: { [T in ErrorType]: (data: ErrorData[T]) => string } = {
  InvalidDefinition: (d) => `${d.place}: ${d.problem}`,
  InvalidInput: (d) => `Input of \`${d.agent}\` does not fit: ${d.problem}`,
  InvalidConfig: (d) => `${d.file}${at(d)}: ${d.problem}`,
  InvalidAgentName: (d) =>
    `No agent can be named \`${d.name}\`: a name is lower-case words joined by dots, at least two, such as \`support.triage\`; the prefix \`holdfast.\` is taken.`,
  UnknownAgent: (d) =>
    `No worker on this task queue knows the agent \`${d.agent}\`; it knows ${list(d.known)}. Check the name, or start a worker that has it.`,
  IdInUse: (d) => `The id \`${d.id}\` is in use: ${d.problem}. Choose another id.`,
  RunNotFound: (d) => `There is no run \`${d.id}\`. Check the id and the namespace.`,
  NoServer: (d) =>
    `No Temporal server answers at ${d.address}${said(d.problem)}. Start one with \`holdfast dev\`, or set \`temporal.address\` in temporal.yaml or TEMPORAL_ADDRESS.`,
  NamespaceNotFound: (d) =>
    `The Temporal server has no namespace \`${d.namespace}\`. Create it with \`temporal operator namespace create --namespace ${d.namespace}\`, or set \`temporal.namespace\`.`,
  NoBinary: (d) =>
    `The program \`${d.binary}\` was not found. Tried: ${d.tried.join('; ')}. Run \`holdfast doctor\` for what to do.`,
  PortTaken: (d) => `Port ${d.port} for ${d.what} is taken. Stop what uses it, or choose another.`,
  DevServerFailed: (d) => `The Temporal dev server ended: ${d.problem}`,
  SearchAttributeConflict: (d) =>
    `The search attribute \`${d.name}\` of the namespace \`${d.namespace}\` is of type ${d.has}, but has to be ${d.needs}. Remove it with \`temporal operator search-attribute remove\`, or use another namespace.`,
  NoWorker: (d) => `No worker polls the task queue \`${d.taskQueue}\`. Start one with \`holdfast worker\`.`,
  ToolQuotaExhausted: (d) =>
    `Tool calls exhausted max quota: ${d.max} model calls were made and the last one gave no valid output. Raise \`limits.maxToolInteractions\`, or give the agent a smaller task.`,
  Refused: (d) =>
    `The model \`${d.model}\` refused to answer${said(d.problem)}. Change the input, or choose another model.`,
  Cancelled: (d) => `The run \`${d.id}\` was cancelled.`,
  Terminated: (d) => `The run \`${d.id}\` was terminated${said(d.problem)}.`,
  ContextBuilderFailed: (d) => `contextBuilder of \`${d.agent}\` failed: ${d.problem}`,
  OutputBuilderFailed: (d) => `outputBuilder of \`${d.agent}\` failed: ${d.problem}`,
  ContextTooLarge: (d) =>
    `The first messages are ${d.bytes} bytes, at most ${d.max} are possible. Send less, or pass large media by \`url\`.`,
  UnknownModel: (d) =>
    `No model has the alias \`${d.alias}\`; known are ${list(d.known)}. Add it under \`models\` in temporal.yaml.`,
  ModelUnauthorized: (d) =>
    `The model server at ${d.address} refused the key for \`${d.model}\`${said(d.problem)}. Check the key's environment variable in temporal.yaml.`,
  ModelNotFound: (d) =>
    `The model server at ${d.address} has no model \`${d.model}\`${said(d.problem)}. Check \`models\` in temporal.yaml.`,
  ModelRequestInvalid: (d) =>
    `The model server at ${d.address} rejected the request for \`${d.model}\`${said(d.problem)}. Check the model's settings in temporal.yaml and the schemas of the tools.`,
  ModelContextTooLong: (d) =>
    `The transcript no longer fits the context window of \`${d.model}\`${said(d.problem)}. Lower \`limits.maxResultChars\`, or choose a model with a larger window.`,
  ModelQuotaExceeded: (d) =>
    `The account behind \`${d.model}\` at ${d.address} has no quota left${said(d.problem)}. Top it up, or choose another model in temporal.yaml.`,
  ModelRateLimited: (d) =>
    `The model server at ${d.address} limits the rate for \`${d.model}\`${said(d.problem)}. Try again later, or run fewer at once.`,
  ModelUnavailable: (d) =>
    `The model server at ${d.address} did not answer for \`${d.model}\`${said(d.problem)}. Check that it runs and that \`baseUrl\` in temporal.yaml is right, then try again.`,
  ModelAnswerUnreadable: (d) =>
    `What answers at ${d.address} is no OpenAI-compatible model server${said(d.problem)}. Check \`baseUrl\` of \`${d.model}\` in temporal.yaml.`,
  McpServerFailed: (d) =>
    d.url === undefined
      ? `The MCP server \`${d.server}\` did not start${said(d.problem)}. Its command is \`${d.command}\`: ${d.advice ?? 'run it by hand to see why'}.`
      : `The MCP server \`${d.server}\` at ${d.url} cannot be used${said(d.problem)}: ${d.advice ?? 'check that it runs and that its `url` is right'}.`,
  InvalidEvent: (d) => `This is no event that can be taken: ${d.problem}.`,
  InvalidSignature: (d) => `The webhook is not from who it says: ${d.problem}. Check the secret on both sides.`,
  InvalidDecision: (d) => `This is no decision: ${d.problem}.`,
  ApprovalNotFound: (d) =>
    `No call \`${d.toolUseId}\` of the run \`${d.id}\` waits for a decision; ${d.pending.length === 0 ? 'none does' : `waiting: ${list(d.pending)}`}.`,
  ApprovalDecided: (d) =>
    `The call \`${d.toolUseId}\` of the run \`${d.id}\` is decided already: ${d.decision} by ${d.by} at ${d.at}.`,
  ApprovalExpired: (d) =>
    `Nobody decided on the call \`${d.toolUseId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` in time.`,
  ApprovalMismatch: (d) =>
    `The call \`${d.toolUseId}\` of the run \`${d.id}\` has other arguments than the decision is about (${d.expected}, not ${d.given}). Look at it again.`,
  NotADecider: (d) =>
    `\`${d.by}\` may not decide on the call \`${d.toolUseId}\` of the run \`${d.id}\`; it is for ${list(d.deciders)}.`,
  InvalidEdit: (d) => `The new arguments do not fit \`${d.tool}\`: ${d.problem}. The call still waits.`,
  InvalidMessage: (d) => `This cannot be said to a run: ${d.problem}.`,
  MessageTooLarge: (d) =>
    `The message to \`${d.id}\` is ${d.bytes} bytes, at most ${d.max} are possible in its window of ${d.window} tokens. Send less, large media by \`url\`.`,
  NotAConversation: (d) =>
    `The run \`${d.id}\` is a task, which cannot ${d.what}. Give its agent \`mode: 'conversation'\`, or cancel the run.`,
  NothingToInterrupt: (d) => `The conversation \`${d.id}\` is answering nothing just now.`,
  NothingToRegenerate: (d) => `The last answer of \`${d.id}\` cannot be made anew: ${d.problem}.`,
  QuestionNotFound: (d) =>
    `No question \`${d.questionId}\` of the run \`${d.id}\` waits for an answer; ${d.pending.length === 0 ? 'none does' : `waiting: ${list(d.pending)}`}.`,
  QuestionClosed: (d) =>
    `The question \`${d.questionId}\` of the run \`${d.id}\` is closed already: ${d.action}${d.by === undefined ? '' : ` by ${d.by}`} at ${d.at}.`,
  QuestionExpired: (d) =>
    `Nobody answered the question \`${d.questionId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` in time.`,
  InvalidReply: (d) =>
    `The answer to \`${d.questionId}\` of the run \`${d.id}\` does not fit: ${d.problem}. The question still waits.`,
  NothingToUndo: (d) =>
    `The run \`${d.id}\` has ${d.possible === 0 ? 'nothing' : `only ${d.possible}`} to undo, not ${d.asked}.`,
  NotUndoable: (d) =>
    `The call \`${d.toolUseId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` cannot be undone: ${d.problem}.`,
  AlreadyUndone: (d) =>
    `The call \`${d.toolUseId}\` of \`${d.tool}\` of the run \`${d.id}\` was undone already${d.by === undefined ? '' : ` by ${d.by}`} at ${d.at}.`,
  RunsNotListed: (d) =>
    d.missing === undefined
      ? `Runs of the namespace \`${d.namespace}\` cannot be listed${said(d.problem ?? '')}. Use a server with visibility: \`holdfast dev\` starts one.`
      : `Runs of the namespace \`${d.namespace}\` cannot be found by \`${d.missing}\`, which it does not have. Register what runs write with \`${registerAttributesCommand(d.namespace)}\` and restart the workers: runs that start after that are found.`,
  RunNotEnded: (d) => `The run \`${d.id}\` has not ended: close or cancel it first.`,
  RunFull: (d) =>
    `The run \`${d.id}\` has taken as many messages as the server lets one run take. Start another one; signals still reach this one.`,
  RunEnded: (d) =>
    d.status === 'closing'
      ? `The conversation \`${d.id}\` is closing: it takes no message any more. Start another one.`
      : `The run \`${d.id}\` has ended (${d.status}): nothing of it waits any more.`,
  UnknownOutlet: (d) =>
    `No outlet is called \`${d.outlet}\`; known are ${list(d.known)}. Add it under \`outlets\` in temporal.yaml, or to \`createWorker\`.`,
  OutletFailed: (d) => `The outlet \`${d.outlet}\` could not send the event${said(d.problem)}.`,
  RunLost: (d) => `The worker could not fetch the transcript from its run${said(d.problem)}.`,
  RunFailed: (d) => `The run \`${d.id}\` failed: ${d.problem}`,
};

/**
 * The one error class of Holdfast. `type` is stable and may be compared, `data` holds the facts, `message` is one line
 * that says what happened and what to do.
 */
export class HoldfastError<T extends ErrorType = ErrorType> extends Error {
  /** Always `HoldfastError`: errors of another copy of the package are told by it. */
  override readonly name = 'HoldfastError';

  /** @param options.message replaces the text that is made from the data */
  constructor(
    readonly type: T,
    readonly data: ErrorData[T],
    options: { cause?: unknown; message?: string } = {},
  ) {
    super(options.message ?? TEXT[type](data), 'cause' in options ? { cause: options.cause } : {});
  }

  /** An error that crossed a process: its type may come from a newer version, its text is kept. */
  static revive(type: string, message: string, data: unknown, cause?: unknown): HoldfastError {
    return new HoldfastError(type as ErrorType, (data ?? {}) as ErrorData[ErrorType], { message, cause });
  }

  /** Type, text and data, without the stack. */
  toJSON(): JsonObject {
    return { type: this.type, message: this.message, data: this.data as unknown as JsonObject };
  }
}

/** One line of text for whatever was thrown. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}
