import { registerAttributesCommand } from '../protocol/search-attributes';
import { busyText } from './busy-workers';
import type { ErrorData, ErrorType } from './error-data';
import { functionModelText } from './function-model-text';
import { noServerText, refusedConnectionText } from './no-server-text';

const at = ({ line, column }: { line?: number; column?: number }) =>
  [line, column].flatMap((number) => (number === undefined ? [] : [`:${number}`])).join('');
const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.map((n) => `\`${n}\``).join(', '));
const said = (problem: string) => (problem === '' ? '' : ` (${problem})`);

/** What is missing from a run that has ended. */
function endedBefore({ exchange, undo }: ErrorData['RunEnded']): string {
  if (exchange !== undefined) return ` without an answer to exchange ${exchange}`;
  if (undo !== undefined) return ` before the undo of ${list(undo)} was known to be complete`;
  return ': it no longer waits for anything';
}

/** How far a limit is used, such as `950 of 1000 tokens are spent`. */
function budgetText({ kind, limit, spent, currency = '' }: ErrorData['BudgetExhausted']): string {
  const units = { tokens: 'tokens', cost: currency, toolCalls: 'tool calls', modelCalls: 'model calls' };
  if (kind === 'time' || kind === 'deadline')
    return `${Math.round(spent / 1000)} of ${Math.round(limit / 1000)} s have passed`;
  return `${spent} of ${limit} ${units[kind]} are spent, and the next call may need more than the rest`;
}

/** The only place that makes error messages: what happened, and what to do. */
export const TEXT: { [T in ErrorType]: (data: ErrorData[T]) => string } = {
  InvalidDefinition: (d) => `${d.file === undefined ? '' : `${d.file}${at(d)}: `}${d.place}: ${d.problem}`,
  ModuleNotLoaded: (d) =>
    `${d.file}${at(d)}: ${d.problem}${d.loadedBy === undefined ? '' : ` (imported by ${d.loadedBy})`}`,
  InvalidInput: (d) => `Input of \`${d.agent}\` does not fit: ${d.problem}`,
  InvalidConfig: (d) => `${d.file}${at(d)}: ${d.problem}`,
  InvalidAgentName: (d) =>
    `No agent can be named \`${d.name}\`: a name is lower-case words joined by dots, at least two, such as \`support.triage\`; the prefix \`holdfast.\` is taken.`,
  DelegationRefused: (d) =>
    `The agent \`${d.agent}\` was not run: ${d.problem}. Give the calling agent what it needs to do the work itself.`,
  UnknownAgent: (d) =>
    `No worker on this task queue knows the agent \`${d.agent}\`; it knows ${list(d.known)}. Check the name, or start a worker that has it.`,
  UnknownVersion: (d) =>
    `The agent \`${d.agent}\` has no version \`${d.version}\` of its contract; it has ${list(d.known)}. Ask for one of these, or start a worker that has it.`,
  IdInUse: (d) => `The id \`${d.id}\` is in use: ${d.problem}. Choose another id.`,
  RunNotFound: (d) => `There is no run \`${d.id}\`. Check the id and the namespace.`,
  NoServer: noServerText,
  StorageUnavailable: (d) =>
    d.where === undefined
      ? `A large payload of the run cannot be read: ${d.problem}.`
      : `The storage of large payloads, ${d.where}, cannot be used${said(d.problem)}. Check \`storage\` in temporal.yaml, and what this process may read and write there.`,
  ServerRefused: (d) =>
    d.tried !== undefined
      ? refusedConnectionText(d, { tried: d.tried })
      : `The Temporal server refused a call for the run \`${d.id}\` with ${d.status}${said(d.problem)}. Check what the API key or certificate may do, and the server's limits.`,
  NamespaceNotFound: (d) =>
    `The Temporal server has no namespace \`${d.namespace}\`. Create it with \`temporal operator namespace create --namespace ${d.namespace}\`, or set \`temporal.namespace\`.`,
  NoBinary: (d) =>
    `The program \`${d.binary}\` was not found. Tried: ${d.tried.join('; ')}. Run \`holdfast doctor\` for what to do.`,
  PortTaken: (d) => `Port ${d.port} for ${d.what} is taken. Stop what uses it, or choose another.`,
  DevServerFailed: (d) => `The Temporal dev server ended: ${d.problem}`,
  SearchAttributeConflict: (d) =>
    `The search attribute \`${d.name}\` of the namespace \`${d.namespace}\` is of type ${d.has}, but must be ${d.needs}. Remove it with \`temporal operator search-attribute remove\`, or use another namespace.`,
  NoWorker: (d) =>
    d.build !== undefined
      ? `No worker of the build \`${d.build.buildId}\` of \`${d.build.deployment}\` answers, and the run is pinned to it. Start one, or wait if it is busy.`
      : d.busy === undefined
        ? `No worker polls the task queue \`${d.taskQueue}\`. Start one with \`holdfast worker\`.`
        : busyText(d.busy),
  ToolQuotaExhausted: (d) =>
    `Tool calls exhausted max quota: ${d.max} model calls were made and the last one gave no valid output${said(d.problem ?? '')}. Raise \`limits.maxToolInteractions\`, or give the agent a smaller task.`,
  NoProgress: (d) =>
    `The model ${d.why === 'silent' ? 'gave only empty answers' : 'made the same call again and again'}, and its conclusion gave no valid output${said(d.problem ?? '')}. Look at the transcript with \`holdfast show\`, make the instructions or the tool's errors clearer, or choose another model.`,
  BudgetExhausted: (d) =>
    `The budget of ${d.scope === 'run' ? `the run \`${d.id}\`` : 'the exchange'} is used up: ${budgetText(d)}${said(d.problem ?? '')}. Raise it with \`holdfast raise-budget\` before it ends, or give the agent a larger \`budget\` or a smaller task.`,
  BudgetNotRaised: (d) => `The budget of the run \`${d.id}\` was not raised: ${d.problem}.`,
  ModelUnpriced: (d) => `${d.problem}. Add \`prices\` to the alias in temporal.yaml, or choose another model.`,
  OutputInvalid: (d) =>
    `The model gave no valid output in ${d.attempts} ${d.attempts === 1 ? 'attempt' : 'attempts'}${said(d.problem)}. Simplify the output schema, raise \`limits.maxOutputAttempts\`, or choose another model.`,
  ErrorRepeated: (d) =>
    `${d.times} turns in a row ended with the same error${d.name === undefined ? '' : ` of \`${d.name}\``}, \`${d.type}\`${said(d.message)}. Look at the calls in the transcript, correct the tool or its description, or choose another model.`,
  Refused: (d) =>
    `The model \`${d.model}\` refused to answer${said(d.problem)}. Change the input, or choose another model.`,
  Cancelled: (d) => `The run \`${d.id}\` was cancelled.`,
  Terminated: (d) => `The run \`${d.id}\` was terminated${said(d.problem)}.`,
  TimedOut: (d) =>
    `The run \`${d.id}\` reached the time limit that it was started with. Start it without a limit: the agent's own limits end it.`,
  ContextBuilderFailed: (d) => `contextBuilder of \`${d.agent}\` failed: ${d.problem}`,
  OutputBuilderFailed: (d) => `outputBuilder of \`${d.agent}\` failed: ${d.problem}`,
  ContextTooLarge: (d) =>
    `The first messages are ${d.bytes} bytes, more than the limit of ${d.max}. Send less, or pass large media by \`url\`.`,
  UnknownModel: (d) =>
    d.problem === undefined
      ? `No model has the alias \`${d.alias}\`${d.agent === undefined ? '' : `, which the agent \`${d.agent}\` names`}; known are ${list(d.known)}. Add it under \`models\` in temporal.yaml.`
      : `No worker could look up the model alias \`${d.alias}\`${said(d.problem)}. Check that a worker runs, and try again.`,
  ModelUnauthorized: (d) =>
    functionModelText('ModelUnauthorized', d, said) ??
    (d.keyless
      ? `The model server at ${d.address} wants a key for \`${d.model}\`${said(d.problem)}, and its alias has none. Set \`apiKey\` of the alias in temporal.yaml.`
      : `The model server at ${d.address} refused the key for \`${d.model}\`${said(d.problem)}. ${d.adapter === undefined ? "Check the key's environment variable in temporal.yaml" : 'Check the key that its model is made with'}.`),
  ModelNotFound: (d) =>
    functionModelText('ModelNotFound', d, said) ??
    `The model server at ${d.address} has no model \`${d.model}\`${said(d.problem)}. Check ${d.adapter === undefined ? '`model` and `baseUrl` of its alias in temporal.yaml' : 'the name and the address that its model is made with'}.`,
  ModelRequestInvalid: (d) =>
    functionModelText('ModelRequestInvalid', d, said) ??
    (d.redirects
      ? `The model server at ${d.address} redirects the request for \`${d.model}\` to another address, to which nothing is sent${said(d.problem)}. Correct ${d.adapter === undefined ? '`baseUrl` of its alias in temporal.yaml' : 'the address that its model is made with'}.`
      : `The model server at ${d.address} rejected the request for \`${d.model}\`${said(d.problem)}. Check the model's settings in temporal.yaml and the schemas of the tools.`),
  ModelContextTooLong: (d) =>
    `The transcript no longer fits the context window of \`${d.model}\`${said(d.problem)}. Lower \`limits.maxResultChars\`, or choose a model with a larger window.`,
  ModelQuotaExceeded: (d) =>
    functionModelText('ModelQuotaExceeded', d, said) ??
    `The account behind \`${d.model}\` at ${d.address} has no quota left${said(d.problem)}. Top it up, or choose another model in temporal.yaml.`,
  ModelRateLimited: (d) =>
    functionModelText('ModelRateLimited', d, said) ??
    `The model server at ${d.address} limits the rate for \`${d.model}\`${said(d.problem)}. Try again later, or run fewer at once.`,
  ModelUnavailable: (d) =>
    functionModelText('ModelUnavailable', d, said) ??
    (d.answered
      ? `The model server at ${d.address} gave no usable answer for \`${d.model}\`${said(d.problem)}. Try again later, or choose another model.`
      : `The model server at ${d.address} did not answer for \`${d.model}\`${said(d.problem)}. Check that it runs and that ${d.adapter === undefined ? '`baseUrl` in temporal.yaml' : 'the `baseURL` of its AI SDK provider'} is right, then try again.`),
  ModelAnswerUnreadable: (d) =>
    functionModelText('ModelAnswerUnreadable', d, said) ??
    (d.adapter === 'ai-sdk'
      ? `The answer of \`${d.model}\` at ${d.address} cannot be read${said(d.problem)}. Check the \`baseURL\` of its AI SDK provider, and install the newest version of its package that runs on your Node.`
      : `The server at ${d.address} is not an OpenAI-compatible model server${said(d.problem)}. Check \`baseUrl\` of \`${d.model}\` in temporal.yaml.`),
  ModelAnswerTooLarge: (d) =>
    functionModelText('ModelAnswerTooLarge', d, said) ??
    `The answer of \`${d.model}\` at ${d.address} is too large${said(d.problem)}. Check what the server sends, and lower \`maxTokens\` of the model in temporal.yaml or raise the named setting.`,
  ModelAnswerTooSlow: (d) =>
    functionModelText('ModelAnswerTooSlow', d, said) ??
    `The answer of \`${d.model}\` at ${d.address} took too long${said(d.problem)}. Lower \`maxTokens\` of the model in temporal.yaml, raise the limit, or choose a faster model.`,
  McpServerFailed: (d) =>
    d.url === undefined
      ? `The MCP server \`${d.server}\` did not start${said(d.problem)}. Its command is \`${d.command}\`: ${d.advice ?? 'run it by hand to see why'}.`
      : `The MCP server \`${d.server}\` at ${d.url} cannot be used${said(d.problem)}: ${d.advice ?? 'check that it runs and that its `url` is right'}.`,
  InvalidEvent: (d) => `Invalid event: ${d.problem}.`,
  InvalidSignature: (d) => `The webhook cannot be verified: ${d.problem}. Check the secret on both sides.`,
  InvalidDecision: (d) => `Invalid decision: ${d.problem}.`,
  ApprovalNotFound: (d) =>
    `No call \`${d.toolUseId}\` of the run \`${d.id}\` waits for a decision; ${d.pending.length === 0 ? 'none does' : `waiting: ${list(d.pending)}`}.`,
  ApprovalDecided: (d) =>
    `The call \`${d.toolUseId}\` of the run \`${d.id}\` is decided already: ${d.decision}${d.by === '' ? '' : ` by ${d.by}`} at ${d.at}.`,
  ApprovalExpired: (d) =>
    `No one decided on the call \`${d.toolUseId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` in time.`,
  ApprovalMismatch: (d) =>
    `The call \`${d.toolUseId}\` of the run \`${d.id}\` has arguments other than those of the decision (${d.expected}, not ${d.given}). Look at it again.`,
  NotADecider: (d) =>
    `\`${d.by}\`${d.roles === undefined ? '' : `, with the roles ${list(d.roles)},`} may not decide on the call \`${d.toolUseId}\` of the run \`${d.id}\`; the deciders are ${list(d.deciders)}.`,
  InvalidEdit: (d) => `The new arguments do not fit \`${d.tool}\`: ${d.problem}. The call still waits.`,
  InvalidMessage: (d) => `Invalid message: ${d.problem}.`,
  UnreadablePayload: (d) => `The payload of ${d.what} cannot be read: ${d.problem}.`,
  MessageTooLarge: (d) =>
    `The message to \`${d.id}\` has ${d.tokens} tokens; a window of ${d.window} leaves ${d.max} beside the system prompt, the tools and the room for an answer. Send less, or let a tool read it piece by piece.`,
  NotAConversation: (d) =>
    `The run \`${d.id}\` is a task, which cannot ${d.what}. Give its agent \`mode: 'conversation'\`, or cancel the run.`,
  NothingToInterrupt: (d) => `The conversation \`${d.id}\` is not answering anything at the moment.`,
  FactsMissing: (d) =>
    `The run \`${d.id}\` has no facts ${d.from} to ${d.to}: they are in the history of an earlier Temporal run. Read on with \`after: ${d.to}\`.`,
  NothingToCompact: (d) =>
    `The run \`${d.id}\` has nothing to compact: only its last ${d.keep} messages, which stay, are not compacted yet. Ask it to keep fewer.`,
  NothingToRetry: (d) => `The run \`${d.id}\` is not waiting for its model.`,
  NothingToRegenerate: (d) => `The last answer of \`${d.id}\` cannot be regenerated: ${d.problem}.`,
  QuestionNotFound: (d) =>
    `No question \`${d.questionId}\` of the run \`${d.id}\` waits for an answer; ${d.pending.length === 0 ? 'none does' : `waiting: ${list(d.pending)}`}.`,
  QuestionClosed: (d) =>
    `The question \`${d.questionId}\` of the run \`${d.id}\` is closed already: ${d.action}${d.by === undefined ? '' : ` by ${d.by}`} at ${d.at}.`,
  QuestionExpired: (d) =>
    `No one answered the question \`${d.questionId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` in time.`,
  InvalidReply: (d) =>
    `The answer to \`${d.questionId}\` of the run \`${d.id}\` does not fit: ${d.problem}. The question still waits.`,
  NothingToUndo: (d) =>
    `The run \`${d.id}\` has ${d.possible === 0 ? 'nothing to undo' : `only ${d.possible} to undo, not ${d.asked}`}.`,
  NotUndoable: (d) =>
    `The call \`${d.toolUseId}\`${d.tool === undefined ? '' : ` of \`${d.tool}\``} of the run \`${d.id}\` cannot be undone: ${d.problem}.`,
  AlreadyUndone: (d) =>
    `The call \`${d.toolUseId}\` of \`${d.tool}\` of the run \`${d.id}\` was undone already${d.by === undefined ? '' : ` by ${d.by}`} at ${d.at}.`,
  RunsNotListed: (d) =>
    d.missing === undefined
      ? `Runs of the namespace \`${d.namespace}\` cannot be listed${said(d.problem ?? '')}. Use a server with visibility: \`holdfast dev\` starts one.`
      : `Runs of the namespace \`${d.namespace}\` cannot be found by \`${d.missing}\`, a search attribute that it does not have. Register the search attributes with \`${registerAttributesCommand(d.namespace)}\` and restart the workers: runs that start after that are found.`,
  RunNotEnded: (d) => `The run \`${d.id}\` has not ended: close or cancel it first.`,
  AlreadyApplied: (d) =>
    `The run \`${d.id}\` has applied this command before, in an earlier history, and no longer knows its answer. Read the run with \`holdfast show ${d.id}\` to see the result.`,
  RunFull: (d) =>
    `The run \`${d.id}\` has taken as many messages as the server lets one run take. Start another run; signals still reach this one.`,
  RunEnded: (d) =>
    d.status === 'closing'
      ? `The conversation \`${d.id}\` is closing: it takes no more messages. Start another one.`
      : `The run \`${d.id}\` has ended (${d.status})${endedBefore(d)}.`,
  UnknownOutlet: (d) =>
    `No outlet is called \`${d.outlet}\`; known are ${list(d.known)}. Add it under \`outlets\` in temporal.yaml, or to \`createWorker\`.`,
  OutletFailed: (d) => `The outlet \`${d.outlet}\` could not send the event${said(d.problem)}.`,
  RunLost: (d) => `The worker could not fetch the transcript from its run${said(d.problem)}.`,
  UnknownStateVersion: (d) =>
    `The run continues from a state of version ${d.version}, and this worker reads version ${d.known}. Deploy workers with at least the version of Holdfast that wrote it.`,
  UnknownDecisions: (d) =>
    `The run takes the decisions of version ${d.version}, and this worker knows those up to version ${d.known}. Deploy workers with at least the version of Holdfast that the run began with.`,
  InvalidCarriedState: (d) =>
    `The run continues from a damaged state: ${d.problem}. Check that all workers have the same payload codecs, then reset the run, or start a new one.`,
  RunFailed: (d) => `The run \`${d.id}\` failed: ${d.problem}`,
};
