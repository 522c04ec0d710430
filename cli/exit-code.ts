import { type ErrorType, HoldfastError } from '../agent/errors/error';

/** Exit codes. `holdfast --help` and docs/reference/cli.md have the same table. */
export const EXIT = {
  done: 0,
  /** The run failed, or the command could not do what it was asked to. */
  failed: 1,
  /** The command line, the input, temporal.yaml or a module that it names is invalid. */
  usage: 2,
  /** No server, no namespace or no worker answers. */
  unreachable: 3,
  /** The run was cancelled or terminated. */
  cancelled: 4,
  /** The command was ended with Ctrl-C, as shells count it: 128 and the number of the signal. */
  interrupted: 130,
  /** The command was ended with SIGTERM. */
  terminated: 143,
} as const;

const CODES: { readonly [T in ErrorType]?: number } = {
  InvalidConfig: EXIT.usage,
  InvalidDefinition: EXIT.usage,
  ModuleNotLoaded: EXIT.usage,
  InvalidInput: EXIT.usage,
  InvalidAgentName: EXIT.usage,
  UnknownAgent: EXIT.usage,
  UnknownVersion: EXIT.usage,
  UnknownModel: EXIT.usage,
  UnknownOutlet: EXIT.usage,
  InvalidEvent: EXIT.usage,
  InvalidDecision: EXIT.usage,
  InvalidReply: EXIT.usage,
  InvalidEdit: EXIT.usage,
  NoServer: EXIT.unreachable,
  ServerRefused: EXIT.unreachable,
  NamespaceNotFound: EXIT.unreachable,
  NoWorker: EXIT.unreachable,
  Cancelled: EXIT.cancelled,
  Terminated: EXIT.cancelled,
};

/** Types of errors that only a served address has. */
const SERVED: { readonly [type: string]: number } = {
  InvalidRequest: EXIT.usage,
  Unauthorized: EXIT.unreachable,
  UnknownHost: EXIT.unreachable,
  IssuerUnavailable: EXIT.unreachable,
  Stopping: EXIT.unreachable,
  TooManyRequests: EXIT.unreachable,
  TooManyStreams: EXIT.unreachable,
};

/** The exit code of a command that ended with this error. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof HoldfastError)) return EXIT.failed;
  const type: ErrorType = error.type;
  // No worker could look the alias up: it may well be right.
  if (isOfType(error, 'UnknownModel') && error.data.problem !== undefined) return EXIT.unreachable;
  return CODES[type] ?? SERVED[type] ?? EXIT.failed;
}

function isOfType<T extends ErrorType>(error: HoldfastError, type: T): error is HoldfastError<T> {
  return error.type === type;
}
