import { ANSWER_PROBLEM } from '../../agent/prompts/calls/services';
import type { AnswerVerdict, SchemaVerdict } from '../../agent/protocol/activities';
import type { JsonSchema } from '../../agent/protocol/manifest';
import type { Json } from '../../agent/values/json';

/** An answer of a service. Plain data names no type: it is the first answer of the contract that it fits. */
export interface GivenAnswer {
  type?: string | undefined;
  data: Json;
}

/**
 * Whether an answer is one of those of a contract.
 * @param emits the answers of the contract by their types
 * @param check checks data against the schema of a type
 */
export function answerVerdict(
  emits: { readonly [type: string]: JsonSchema },
  { type, data }: GivenAnswer,
  check: (schema: JsonSchema, data: Json, type: string) => SchemaVerdict,
): AnswerVerdict {
  if (type === undefined) return fitsAny(emits, (schema, one) => check(schema, data, one));
  const schema = Object.hasOwn(emits, type) ? emits[type] : undefined;
  if (schema !== undefined) return check(schema, data, type);
  return { ok: false, problem: ANSWER_PROBLEM.type(type, Object.keys(emits)) };
}

function fitsAny(
  emits: { readonly [type: string]: JsonSchema },
  check: (schema: JsonSchema, type: string) => SchemaVerdict,
): AnswerVerdict {
  const problems: [type: string, problem: string][] = [];
  for (const [type, schema] of Object.entries(emits)) {
    const verdict = check(schema, type);
    if (verdict.ok) return { ok: true, type };
    problems.push([type, verdict.problem]);
  }
  const [[, only = ''] = []] = problems;
  return { ok: false, problem: problems.length === 1 ? only : ANSWER_PROBLEM.fitsNone(problems) };
}
