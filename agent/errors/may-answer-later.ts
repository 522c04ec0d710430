import { HoldfastError } from './error';
import type { ErrorData } from './error-data';
import type { ServerFault } from './tried-server';

/** Faults that may pass while a server, or the network to it, starts. */
const PASSING: ReadonlySet<ServerFault> = new Set(['unknownHost', 'refused', 'unreachable', 'silent']);

/** Whether to try again may help. */
export function isPassingFault(fault: ServerFault | undefined): boolean {
  return fault === undefined || PASSING.has(fault);
}

/** Whether a server that a connection has not found may answer later: one that wants TLS never answers without. */
export function mayAnswerLater(error: unknown): boolean {
  if (!(error instanceof HoldfastError) || error.type !== 'NoServer') return false;
  return isPassingFault((error.data as ErrorData['NoServer']).fault);
}
