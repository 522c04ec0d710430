import { coerceArguments } from '../coercion/coerce-arguments';
import { coerceReply } from '../questions/coerce-reply';
import { usableSchema } from './bounded-schema';
import { checkAgainstSchema, schemaProblem } from './check';

/** Jobs with an untrusted schema, done here or in the thread: each takes the schema, and a value. */
export const JOBS = {
  usable: usableSchema,
  compile: schemaProblem,
  check: checkAgainstSchema,
  coerceArguments,
  coerceReply,
} as const;

export type JobName = keyof typeof JOBS;
export type JobResult<Name extends JobName> = ReturnType<(typeof JOBS)[Name]>;
