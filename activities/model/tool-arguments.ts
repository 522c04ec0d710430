import { isJsonObject, type JsonObject } from '../../agent/json';
import type { CallProblem } from '../../agent/model-answer';

// It ships CommonJS code, but types for `import` only, which TypeScript refuses in a CommonJS file.
const { jsonrepair } = require('jsonrepair') as typeof import('jsonrepair', { with: { 'resolution-mode': 'import' }});

/** Characters of broken arguments that the model is shown. */
const EXCERPT = 200;

/** Arguments as the model wrote them, as an object: parsed, else repaired, else `{}` with the problem. */
export function parseArguments(raw: string): { input: JsonObject; problem?: CallProblem } {
  const text = raw.trim();
  // Calls of tools without parameters come with nothing at all, or with `null`.
  if (text === '' || text === 'null') return { input: {} };
  const input = objectIn(text, JSON.parse) ?? objectIn(text, (broken) => JSON.parse(jsonrepair(broken)));
  if (input !== undefined) return { input };
  const excerpt = text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT)}…`;
  const message = `The arguments are no JSON object: ${excerpt.replace(/\s+/g, ' ')}`;
  return { input: {}, problem: { type: 'InvalidJson', message } };
}

function objectIn(text: string, parse: (text: string) => unknown): JsonObject | undefined {
  try {
    const value = parse(text);
    if (isJsonObject(value)) return value;
    // Encoded twice: a string that holds the object.
    const inner = typeof value === 'string' && value !== text ? JSON.parse(value) : undefined;
    return isJsonObject(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}
