import type { CheckReplyInput, CheckReplyResult } from '../../agent/protocol/activities';
import { interruptible } from '../heartbeat';
import { boundsProblem } from '../schemas/bounded-schema';
import { coerceThirdPartyReply, thirdPartyProblem } from '../schemas/third-party';

/**
 * `holdfast.checkReply`: whether what a person answered fits the question, as it is or as they must have meant it. Its schema
 * may be a model's, or an MCP server's.
 */
export function checkReply({ schema, answer }: CheckReplyInput): Promise<CheckReplyResult> {
  return interruptible(async () => {
    // Anything would fit it.
    const broken = boundsProblem(schema) ?? (await thirdPartyProblem(schema));
    if (broken !== undefined) return { ok: false, problem: `the schema of the question cannot be used: ${broken}` };
    const { value, check } = await coerceThirdPartyReply(schema, answer);
    if (!check.ok) return { ok: false, problem: check.problem };
    // The schema gave up in the midst of it.
    if (check.note !== undefined)
      return { ok: false, problem: `the schema of the question cannot be used: ${check.note}` };
    return value === answer ? { ok: true } : { ok: true, value };
  });
}
