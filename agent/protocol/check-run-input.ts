import { budgetProblem } from '../budget/check-budget';
import { HoldfastError } from '../errors/error';
import { BYTES } from '../limits';
import { defined } from '../values/defined';
import { isJsonObject, jsonBytes } from '../values/json';
import { isNestedDeeper, MAX_DEPTH } from '../values/json-depth';
import { shorten } from '../values/shorten';
import { isVersion } from '../values/version';
import { checkEvent } from './event';
import type { RunInput } from './run';

const FIELDS = ['input', 'owner', 'metadata', 'budget', 'delegatedBy', 'traceparent', 'event', 'version'];

/**
 * Checks form and size of the input of a run from any caller. It does not check the agent's own input against its
 * schema.
 * @throws HoldfastError `InvalidInput`
 */
export function checkRunInput(agent: string, given: unknown): RunInput {
  const fail = (problem: string): never => {
    throw new HoldfastError('InvalidInput', { agent, problem });
  };
  // An event alone: a caller that starts a run with an event does not need to know our form.
  if (isJsonObject(given) && given.specversion !== undefined) return checkRunInput(agent, { event: given });
  if (!isJsonObject(given)) return fail('Expected one argument `{"input": …, "owner"?: …, "metadata"?: {…}}`');
  const strange = Object.keys(given).find((key) => !FIELDS.includes(key));
  if (strange !== undefined)
    fail(`Unknown field \`${shorten(strange, 50)}\`; the agent's own input belongs under \`input\``);
  if (given.owner !== undefined && typeof given.owner !== 'string') fail('Expected `owner` to be a string');
  if (given.metadata !== undefined && !isJsonObject(given.metadata)) fail('Expected `metadata` to be an object');
  if (given.traceparent !== undefined && typeof given.traceparent !== 'string')
    fail('Expected `traceparent` to be a string');
  if (given.version !== undefined && !isVersion(given.version)) {
    fail('Expected `version` to be three numbers joined by dots, such as `1.0.0`');
  }
  if (given.delegatedBy !== undefined && !isDelegatedBy(given.delegatedBy)) {
    fail('Expected `delegatedBy` to be `{"agent": …, "id": …, "toolUseId": …, "lineage": […]}`');
  }
  const wrong = given.budget === undefined ? undefined : budgetProblem(given.budget);
  if (wrong !== undefined) fail(`\`budget${wrong.field}\`: ${wrong.problem}`);
  for (const field of ['input', 'metadata'] as const) {
    if (isNestedDeeper(given[field])) fail(`\`${field}\` is nested deeper than ${MAX_DEPTH} levels`);
  }
  const event = given.event === undefined ? undefined : checkEvent(given.event);
  if (event !== undefined) checkStart(event.type, agent, given.input !== undefined, fail);
  const bytes = jsonBytes(given.input) + jsonBytes(event?.data);
  if (bytes > BYTES.input) {
    fail(`It is ${bytes} bytes, more than the limit of ${BYTES.input}; pass a reference to larger data`);
  }
  const attached = jsonBytes(given.metadata) + jsonBytes(given.owner);
  if (attached > BYTES.metadata) {
    fail(`\`owner\` and \`metadata\` are ${attached} bytes, more than the limit of ${BYTES.metadata}`);
  }
  return { ...(given as RunInput), ...defined({ event }) };
}

function isDelegatedBy(given: unknown): boolean {
  if (!isJsonObject(given)) return false;
  const { agent, id, toolUseId, lineage } = given;
  const isText = (value: unknown) => typeof value === 'string';
  return [agent, id, toolUseId].every(isText) && Array.isArray(lineage) && lineage.every(isText);
}

function checkStart(type: string, agent: string, hasInput: boolean, fail: (problem: string) => never): void {
  if (type !== `arvo.orc.${agent}`)
    fail(`Expected an event of type \`arvo.orc.${agent}\`, got \`${shorten(type, 200)}\``);
  if (hasInput) fail('The input is the data of `event`; leave out `input`');
}
