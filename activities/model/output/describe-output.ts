import type { ModelRequest } from '../../../agent/model/adapter';
import { answerWithJson, answerWithText } from '../../../agent/prompts/output';
import type { JsonSchema } from '../../../agent/protocol/manifest';
import { isOnly, kindsOf } from '../../output/schema-kinds';
import type { Terms } from './terms';

/** Fields of a schema that say nothing about which texts fit. */
const NO_RULES = new Set(['$schema', '$id', 'type', 'title', 'description', 'default', 'examples']);

/** The output of a request, on the given terms. */
export function outputOf(schema: JsonSchema, { structuredOutput, namesDialect }: Terms): ModelRequest['output'] {
  if (structuredOutput === 'prompt') return undefined;
  if (structuredOutput === 'json_object') return { type: 'json_object' };
  return { type: 'schema', schema: dialectOf(schema, namesDialect) };
}

/** The system prompt, with a description of the output if the server is not told of its schema. */
export function systemWith(
  system: string | undefined,
  schema: JsonSchema | undefined,
  { structuredOutput, hasTools }: Pick<Terms, 'structuredOutput'> & { hasTools: boolean },
): string | undefined {
  if (schema === undefined || structuredOutput === 'schema') return system;
  const isText = isOnly(kindsOf(schema), 'string');
  if (isText && Object.keys(schema).every((field) => NO_RULES.has(field))) return system;
  const describe = isText ? answerWithText : answerWithJson;
  const described = describe(JSON.stringify(dialectOf(schema, false)), { hasTools });
  return system === undefined ? described : `${system}\n\n${described}`;
}

/** A schema with or without the name of its dialect. */
export function dialectOf(schema: JsonSchema, isNamed: boolean): JsonSchema {
  if (isNamed || schema.$schema === undefined) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}
