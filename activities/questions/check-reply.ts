import type { CheckReplyInput, CheckReplyResult } from '../../agent/protocol/activities';
import { interruptible } from '../heartbeat';
import { boundsProblem } from '../schemas/bounded-schema';
import { coerceThirdPartyReply, thirdPartyProblem } from '../schemas/third-party';

/**
 * `holdfast.checkReply`: whether a person's answer fits the question, as it is or after coercion. The schema may come
 * from a model or an MCP server.
 */
export function checkReply({ schema, answer }: CheckReplyInput): Promise<CheckReplyResult> {
  return interruptible(async () => {
    // Any answer would fit it.
    const broken = boundsProblem(schema) ?? (await thirdPartyProblem(schema));
    if (broken !== undefined) return { ok: false, problem: `the schema of the question cannot be used: ${broken}` };
    const { value, check } = await coerceThirdPartyReply(schema, answer);
    if (!check.ok) return { ok: false, problem: check.problem };
    // The schema could not be evaluated to the end.
    if (check.note !== undefined)
      return { ok: false, problem: `the schema of the question cannot be used: ${check.note}` };
    return value === answer ? { ok: true } : { ok: true, value };
  });
}
