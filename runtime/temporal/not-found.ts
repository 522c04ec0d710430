import { isGrpcServiceError } from '@temporalio/client';

/** Code of gRPC. */
const NOT_FOUND = 5;

/** Whether the server says that it has none of what a call names: a namespace, a run, or an activity. */
export function isNotFound(error: unknown): boolean {
  return isGrpcServiceError(error) && error.code === NOT_FOUND;
}
