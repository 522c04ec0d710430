import {
  isGrpcServiceError,
  NamespaceNotFoundError,
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  ExternalStorageNotConfiguredError,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { isNotFound } from '../../runtime/temporal/not-found';

/** DEADLINE_EXCEEDED, UNAVAILABLE, and UNIMPLEMENTED, the answer of servers that are not Temporal servers. */
const UNREACHABLE = new Set([4, 14, 12]);

/** The server allows a run 2,000 updates by default. That refusal has no distinct code, so its text is matched. */
export function isFull(error: unknown): boolean {
  const grpc = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(grpc) && /limit on the total number of/i.test(grpc.details);
}

const RESOURCE_EXHAUSTED = 8;
/** DEADLINE_EXCEEDED, UNAVAILABLE. */
const SILENCE = new Set<number | undefined>([4, 14]);

/** Whether a failure of the server or of the way to it passes by itself. */
export function isPassing(error: unknown): boolean {
  return isSilence(error) || isBusy(error);
}

/** The server, or the way to it, gives no answer. */
export function isSilence(error: unknown): boolean {
  return SILENCE.has(codeOf(error));
}

/** The server answers that it has too much to do. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === RESOURCE_EXHAUSTED;
}

function codeOf(error: unknown): number | undefined {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) ? grpc.code : undefined;
}

/** Names of the codes of gRPC, by number. */
const STATUS =
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED'.split(
    ' ',
  );
const statusName = (code: number) => STATUS[code] ?? `status ${code}`;

/** Converts an error of Temporal's client to a HoldfastError. Unknown errors pass through unchanged. */
export function orHoldfastError(error: unknown, id: string): unknown {
  if (error instanceof HoldfastError) return error;
  if (error instanceof WorkflowNotFoundError) return new HoldfastError('RunNotFound', { id }, { cause: error });
  if (error instanceof NamespaceNotFoundError) {
    return new HoldfastError('NamespaceNotFound', { namespace: error.namespace }, { cause: error });
  }
  if (error instanceof WorkflowFailedError) return endOf(error.cause, id);
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    const { type, message, details } = error.cause;
    return HoldfastError.revive(type ?? 'RunFailed', message, details?.[0], error);
  }
  if (error instanceof ExternalStorageNotConfiguredError) {
    const problem =
      'it is in a storage that this Temporal client does not have; give it `externalStorage: openStorage(…)`';
    return new HoldfastError('StorageUnavailable', { problem }, { cause: error });
  }
  if (isFull(error)) return new HoldfastError('RunFull', { id }, { cause: error });
  const grpc = error instanceof ServiceError ? error.cause : error;
  // Calls that bypass the workflow client, such as for a history, throw the server's error.
  if (isGrpcServiceError(grpc) && isNotFound(grpc) && !/namespace/i.test(grpc.details)) {
    return new HoldfastError('RunNotFound', { id }, { cause: error });
  }
  if (isGrpcServiceError(grpc) && UNREACHABLE.has(grpc.code)) {
    return new HoldfastError('NoServer', absence(grpc.details), { cause: error });
  }
  if (error instanceof ServiceError || isGrpcServiceError(error)) {
    const [status, problem] = isGrpcServiceError(grpc)
      ? [statusName(grpc.code), grpc.details]
      : ['UNKNOWN', messageOf(grpc)];
    return new HoldfastError('ServerRefused', { id, status, problem }, { cause: error });
  }
  return error;
}

/** What gRPC says of a server that is away, in plain words. */
function absence(details: string): { address?: string; problem: string } {
  const [, address] = /\bECONNREFUSED ([^\s]+:\d+)/.exec(details) ?? [];
  if (address !== undefined) return { address, problem: 'connection refused' };
  if (/^Deadline exceeded/.test(details)) return { problem: 'no answer in time' };
  const [, last = details] =
    /^No connection established\. Last error: (?:Error: )?(.*?)\.?(?: Resolution note: .*)?$/.exec(details) ?? [];
  return { problem: last };
}

/** The error for a run that did not complete. */
function endOf(cause: unknown, id: string): HoldfastError {
  if (cause instanceof ApplicationFailure) {
    return HoldfastError.revive(cause.type ?? 'RunFailed', cause.message, cause.details?.[0], cause);
  }
  if (cause instanceof CancelledFailure) return new HoldfastError('Cancelled', { id }, { cause });
  if (cause instanceof TerminatedFailure)
    return new HoldfastError('Terminated', { id, problem: cause.message }, { cause });
  if (cause instanceof TimeoutFailure) return new HoldfastError('TimedOut', { id }, { cause });
  return new HoldfastError('RunFailed', { id, problem: messageOf(cause) }, { cause });
}
