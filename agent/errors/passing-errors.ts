import type { ErrorType } from './error';

/** Failures of a model that may pass with time: it is out of reach, or overloaded. */
export const PASSING_ERRORS: ReadonlySet<string> = new Set<ErrorType>(['ModelUnavailable', 'ModelRateLimited']);
