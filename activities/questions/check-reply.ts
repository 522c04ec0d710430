import type { CheckReplyInput, CheckReplyResult } from '../../agent/activities';
import { interruptible } from '../heartbeat';
import { checkAgainstSchema, schemaProblem } from '../schema-check';
import { coerceReply } from './coerce-reply';

/** `holdfast.checkReply`: whether what a person answered fits the question, as it is or as they must have meant it. */
export function checkReply({ schema, answer }: CheckReplyInput): Promise<CheckReplyResult> {
  return interruptible(async () => {
    // Anything would fit it.
    const broken = schemaProblem(schema);
    if (broken !== undefined) return { ok: false, problem: `the schema of the question cannot be used: ${broken}` };
    if (fits(checkAgainstSchema(schema, answer))) return { ok: true };
    const value = coerceReply(schema, answer);
    const verdict = checkAgainstSchema(schema, value);
    if (fits(verdict)) return { ok: true, value };
    return {
      ok: false,
      problem: verdict.ok ? `the schema of the question cannot be used: ${verdict.note}` : verdict.problem,
    };
  });
}

/** A note says that the schema gave up in the midst of it. */
function fits(verdict: ReturnType<typeof checkAgainstSchema>): boolean {
  return verdict.ok && verdict.note === undefined;
}
