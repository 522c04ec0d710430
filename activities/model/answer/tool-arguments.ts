import type { CallProblem } from '../../../agent/model/answer';
import { rawInputOf } from '../../../agent/model/raw-input';
import {
  argumentsNotJson,
  argumentsRefused,
  argumentsTooDeep,
  argumentsTooLarge,
  argumentsUnfinished,
} from '../../../agent/prompts/calls/refused-calls';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { isJsonObject, type JsonObject } from '../../../agent/values/json';
import { isNestedDeeper } from '../../../agent/values/json-depth';
import { hashOfArguments } from '../../../runtime/sha256';
import { coerceArguments } from '../../coercion/coerce-arguments';
import { excessOf, parseJson } from '../../json-extent';
import { coerceThirdParty } from '../../schemas/third-party';
import { JsonRepair } from './repair-json';

/** Characters of broken arguments that are shown to the model. */
const EXCERPT = 200;

/** The arguments of a call, their hash, and why the call cannot run, if it cannot. */
export interface ReadArguments {
  input: JsonObject;
  hash: string;
  problem?: CallProblem;
  /** The text, if it is not JSON. */
  rawInput?: string;
  /** Checking them against the schema would have been too expensive. */
  unchecked?: true;
}

/** Replaces arguments that are left out. */
export const NOTHING_READ: ReadArguments = { input: {}, hash: hashOfArguments({}) };

/** Arguments as the model wrote them: parsed, and coerced to the schema of the tool if the tool is known. */
export async function readArguments(
  raw: string,
  tool: Pick<ToolSpec, 'kind' | 'inputSchema'> | undefined,
  repair: JsonRepair = new JsonRepair(),
): Promise<ReadArguments> {
  const { input, problem } = parseArguments(raw, repair);
  if (isNestedDeeper(input)) return { ...TOO_DEEP, rawInput: rawInputOf(raw) };
  if (problem !== undefined) return { input, hash: hashOfArguments(input), problem, rawInput: rawInputOf(raw) };
  if (tool === undefined) return { input, hash: hashOfArguments(input) };
  try {
    const coerced = await (tool.kind === 'mcp' ? coerceThirdParty : coerceArguments)(tool.inputSchema, input);
    if (!coerced.ok) {
      return {
        input,
        hash: hashOfArguments(input),
        problem: {
          type: 'InvalidArguments',
          message: argumentsRefused(coerced),
        },
        ...(coerced.unchecked ? { unchecked: true } : {}),
      };
    }
    // A text may have held JSON.
    if (isNestedDeeper(coerced.value)) return { ...TOO_DEEP, rawInput: rawInputOf(raw) };
    return { input: coerced.value, hash: hashOfArguments(coerced.value) };
  } catch (error) {
    if ((error as Error).name !== 'RangeError') throw error;
    return { ...TOO_DEEP, rawInput: rawInputOf(raw) };
  }
}

export const TOO_DEEP: ReadArguments = {
  ...NOTHING_READ,
  problem: {
    type: 'InvalidJson',
    message: argumentsTooDeep(),
  },
};

/** A character that no text has: Unicode leaves it to programs. */
const MARK = '\uE000';

/**
 * Whether a text that is not JSON ends before its value does. What is written after it, and then repaired, is inside the value
 * then: brackets and quotes alone do not tell, since models also write those wrongly.
 */
export function endsInside(raw: string, repair: JsonRepair): boolean {
  const text = raw.trim();
  if (text === '' || excessOf(text) !== undefined) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return isRepairedWith(text, repair);
  }
}

function isRepairedWith(text: string, repair: JsonRepair): boolean {
  try {
    const repaired = repair.repair(text + MARK);
    // Words that are not an object are told as such.
    return repaired.includes(MARK) && isJsonObject(parseJson(repaired));
  } catch {
    return false; // nothing may follow it, or it cannot be repaired
  }
}

/** Arguments that have begun and not ended. */
export function unfinished(raw: string): ReadArguments {
  return { ...NOTHING_READ, problem: problemOf(argumentsUnfinished()), rawInput: rawInputOf(raw) };
}

/** Arguments as the model wrote them, as an object: parsed, else repaired, else `{}` with the problem. */
export function parseArguments(
  raw: string,
  repair: JsonRepair = new JsonRepair(),
): { input: JsonObject; problem?: CallProblem } {
  const text = raw.trim();
  // Calls of tools without parameters come with empty arguments, or with `null`.
  if (text === '' || text === 'null') return { input: {} };
  const excess = excessOf(text);
  if (excess !== undefined) return { input: {}, problem: problemOf(argumentsTooLarge(excess)) };
  const reasons: string[] = [];
  for (const json of [() => text, () => repair.repair(text)]) {
    try {
      const input = objectIn(json());
      if (input !== undefined) return { input };
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  const said = text.slice(0, EXCERPT).replace(/\s+/g, ' ');
  // In an excerpt of a long text the mistake may not be visible.
  const rest = text.length <= EXCERPT ? '' : `…${reasons[0] === undefined ? '' : ` (${reasons[0]})`}`;
  return { input: {}, problem: problemOf(argumentsNotJson(`${said}${rest}`)) };
}

const problemOf = (message: string): CallProblem => ({ type: 'InvalidJson', message });

/** @throws SyntaxError if the text is not JSON */
function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  // Encoded twice: a string that holds the object.
  const inner = typeof value === 'string' && value !== text ? parseJson(value) : undefined;
  return isJsonObject(inner) ? inner : undefined;
}
