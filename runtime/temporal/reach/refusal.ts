import { isGrpcServiceError } from '@temporalio/client';
import { messageOf } from '../../../agent/errors/error';

/** How a server says that it does not know a caller, or does not let it in. */
export interface Refusal {
  status: 'UNAUTHENTICATED' | 'PERMISSION_DENIED';
  /** Its own words. */
  problem: string;
}

/** By the codes of gRPC, and by the words that the native part of Temporal's SDK has for them. */
const STATUSES = [
  ['PERMISSION_DENIED', 7, 'The caller does not have permission'],
  ['UNAUTHENTICATED', 16, 'does not have valid authentication credentials'],
] as const;

/** The refusal with which the first call of a connection failed, if it is one. */
export function refusalOf(error: unknown): Refusal | undefined {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const text = messageOf(error);
  for (const [status, code, words] of STATUSES) {
    if (isGrpcServiceError(grpc) && grpc.code === code) return { status, problem: grpc.details };
    if (text.includes(words)) return { status, problem: /message: "(.*)"/s.exec(text)?.[1] ?? text };
  }
  return undefined;
}
