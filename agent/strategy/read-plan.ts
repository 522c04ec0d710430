import { isJsonObject, type JsonObject } from '../values/json';
import { planOf } from './check-plan';
import { stepsOfLines } from './plan-lines';
import type { ReadPlan } from './step-plan';

/** Characters of an answer that are read. Ten steps with all their texts fit many times. */
const MAX_CHARS = 200_000;
/** Objects that are tried, since models write examples and remarks around their plan. */
const MAX_OBJECTS = 8;
/** Levels of a plan, with what its hints may hold. */
const MAX_LEVELS = 40;

/**
 * Reads the answer of a planner: an object, with or without text around it, or lines. It never throws, and takes time
 * in proportion to the length of the text.
 */
export function readPlan(text: string): ReadPlan {
  if (text.length > MAX_CHARS) return { type: 'unreadable', problem: `the answer has ${text.length} characters` };
  const object = planObject(text);
  if (object !== undefined) return fromObject(object);
  const steps = stepsOfLines(text);
  if (steps.length > 0) return planOf(steps);
  return { type: 'unreadable', problem: 'the answer has neither an object with `steps` nor a line `plan.add_step`' };
}

function fromObject({ needs_tools: needs, direct_response: response, steps }: JsonObject): ReadPlan {
  const needsNone = needs === false || needs === 'false';
  if (needsNone && typeof response === 'string' && response.trim() !== '') return { type: 'direct', response };
  if (needsNone && (steps === undefined || steps === null || isEmpty(steps)))
    return { type: 'unreadable', problem: 'no tool is needed, and `direct_response` is missing' };
  return planOf(steps);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The first object in a text that has a field of a plan. */
function planObject(text: string): JsonObject | undefined {
  let at = text.indexOf('{');
  for (let tried = 0; at !== -1 && tried < MAX_OBJECTS; tried++) {
    const end = objectEnd(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (isJsonObject(value) && ('steps' in value || 'needs_tools' in value)) return value;
    at = text.indexOf('{', value === undefined ? at + 1 : end);
  }
  return undefined;
}

/** Where the object that begins at `from` ends; `undefined` if it does not, or is nested too deep. */
function objectEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '{' || character === '[') {
      if (++depth > MAX_LEVELS) return undefined;
    } else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
