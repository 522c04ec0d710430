import { argumentsUnchecked } from '../../agent/prompts/calls/refused-calls';
import type { JsonSchema } from '../../agent/protocol/manifest';
import type { Json, JsonObject } from '../../agent/values/json';
import type { Coerced } from '../coercion/coerce';
import type { CoercedArguments } from '../coercion/coerce-arguments';
import { Turns } from '../take-turns';
import { boundsProblem, type UsableSchema } from './bounded-schema';
import type { SchemaCheck } from './check';
import { inThread } from './job-thread';
import { JOBS, type JobName, type JobResult } from './jobs';
import { checksAtOnce, compilesAtOnce, patternsCompileAtOnce } from './schema-weight';

/*
 * Untrusted schemas, from models and MCP servers. No operation on one holds the event loop for long: what may take long
 * runs in a thread, for at most a second.
 */

/** Which part of a schema is used, see {@link UsableSchema}. */
export async function usableThirdParty(schema: JsonSchema): Promise<UsableSchema> {
  const began = performance.now();
  const problem = boundsProblem(schema);
  await turns.take(began);
  if (problem !== undefined) return { problems: [{ path: '', problem }] };
  const late = (why: string): UsableSchema => ({ problems: [{ path: '', problem: `its patterns: ${why}` }] });
  return job('usable', schema, null, () => patternsCompileAtOnce(schema), late);
}

/** Why a schema within limits cannot be used for checks; `undefined` if it can. */
export function thirdPartyProblem(schema: JsonSchema): Promise<string | undefined> {
  return job(
    'compile',
    schema,
    null,
    () => compilesAtOnce(schema),
    (why) => why,
  );
}

/** Whether a value fits a schema; not if it could not be checked. */
export function checkThirdParty(schema: JsonSchema, value: JsonObject): Promise<SchemaCheck> {
  return job(
    'check',
    schema,
    value,
    () => checksAtOnce(schema, value),
    (why) => ({ ok: false, problem: argumentsUnchecked(why), unchecked: true }),
  );
}

/**
 * Arguments that fit the schema of a third-party tool, see {@link coerceArguments}; a problem if they could not be
 * checked.
 */
export function coerceThirdParty(schema: JsonSchema, input: JsonObject): Promise<CoercedArguments> {
  return job(
    'coerceArguments',
    schema,
    input,
    () => checksAtOnce(schema, input),
    (why) => ({
      ok: false,
      problem: argumentsUnchecked(why),
      unchecked: true,
    }),
  );
}

/** What a person must have meant, see {@link coerceReply}, by an untrusted schema. */
export function coerceThirdPartyReply(schema: JsonSchema, answer: Json): Promise<Coerced> {
  return job(
    'coerceReply',
    schema,
    answer,
    () => checksAtOnce(schema, answer),
    (why) => ({
      value: answer,
      check: {
        ok: false,
        problem: `the answer could not be checked against the schema of the question: ${why}`,
      },
    }),
  );
}

/** An answer may have many calls. */
const turns = new Turns();

async function job<Name extends JobName>(
  name: Name,
  schema: JsonSchema,
  value: Json,
  atOnce: () => boolean,
  late: (why: string) => JobResult<Name>,
): Promise<JobResult<Name>> {
  const began = performance.now();
  if (!atOnce()) {
    await turns.take(began);
    const outcome = await inThread({ name, schema, value });
    return outcome.done ? (outcome.result as JobResult<Name>) : late(outcome.problem);
  }
  const result = (JOBS[name] as (schema: JsonSchema, value: Json) => JobResult<Name>)(schema, value);
  await turns.take(began);
  return result;
}
