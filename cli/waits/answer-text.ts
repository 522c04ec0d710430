import type { Question } from '../../agent/conversation/questions';
import type { JsonSchema } from '../../agent/protocol/manifest';
import type { Json, JsonObject } from '../../agent/values/json';
import { visibleJson } from '../../agent/values/visible';

/** The typed text as the answer to a question: a text, unless its schema does not accept one. */
export function answerFrom(text: string, schema: JsonSchema | undefined): Json {
  if (takesText(schema)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The run says why the text does not fit.
    return text;
  }
}

/** Whether an answer may be a plain text. */
export function takesText(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  const { type, enum: values } = schema;
  if (type !== undefined) return [type].flat().includes('string');
  return Array.isArray(values) ? values.some((value) => typeof value === 'string') : Object.keys(schema).length === 0;
}

/** Answers to choose from, as they would be typed. */
export function choicesOf({ suggestions = [], schema }: Pick<Question, 'suggestions' | 'schema'>): string[] {
  if (suggestions.length > 0) return suggestions;
  if (schema?.type === 'boolean') return ['true', 'false'];
  const values = Array.isArray(schema?.enum) ? (schema.enum as Json[]) : [];
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** The initial text of a structured answer: its fields, empty. */
export function answerDraft(schema: JsonSchema | undefined): string {
  const { properties } = schema ?? {};
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const draft: JsonObject = Object.fromEntries(names.map((name) => [name, null]));
  return visibleJson(draft, 2);
}
