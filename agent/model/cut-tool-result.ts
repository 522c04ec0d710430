import { BYTES } from '../limits';
import { resultCut, resultTooLarge } from '../prompts/calls/results';
import type { ToolOutcome } from '../protocol/calls/tool-call';
import { errorOutcome } from '../protocol/calls/tool-outcome';
import { type Json, jsonBytes } from '../values/json';
import { type ContentPart, isContentPart, type TextPart } from './message';

/** A JSON value as parts: a text, parts unchanged, anything else as JSON. */
export function partsOf(value: Json): ContentPart[] {
  return partsIn(value) ?? [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}

/** A value that consists of parts; `undefined` for any other. */
export function partsIn(value: unknown): ContentPart[] | undefined {
  if (isContentPart(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isContentPart) ? value : undefined;
}

/**
 * A result as it is stored in history. The model sees at most `maxChars` characters of it with a note of the full
 * length; the whole is kept for people. A result larger than one payload can hold becomes an error that the model
 * reads.
 */
export function outcomeOf(parts: ContentPart[], maxChars: number, tool: string): ToolOutcome {
  const chars = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  const bytes = jsonBytes(parts);
  const isText = (part: ContentPart): part is TextPart => part.type === 'text';
  const shown = chars > maxChars ? cut(parts, maxChars, chars) : parts;
  if (bytes > BYTES.result) {
    return errorOutcome('ResultTooLarge', resultTooLarge(tool, bytes), shown.filter(isText));
  }
  return shown === parts ? { content: parts } : { content: shown, full: parts.filter(isText) };
}

function cut(parts: readonly ContentPart[], maxChars: number, chars: number): ContentPart[] {
  const shown: ContentPart[] = [];
  let left = maxChars;
  for (const part of parts) {
    if (part.type !== 'text') shown.push(part);
    else if (left > 0) {
      const text = head(part.text, left);
      shown.push({ type: 'text', text });
      left -= part.text.length;
    }
  }
  const kept = shown.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  shown.push({ type: 'text', text: resultCut(kept, chars) });
  return shown;
}

/** The beginning of a text, without splitting the two halves of a code point. */
export function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 && length < text.length ? length - 1 : length);
}
