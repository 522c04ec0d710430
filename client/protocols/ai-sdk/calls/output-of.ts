import type { ContentPart } from '../../../../agent/model/message';
import type { Json } from '../../../../agent/values/json';

/** Characters of a result that are read as JSON: a larger one stays a text. */
const MAX_JSON = 256 * 1024;

/** The value that a tool has returned, as far as its texts tell: JSON, a text, or parts if there are media. */
export function outputOf(content: readonly ContentPart[]): Json {
  if (content.some(({ type }) => type !== 'text')) return content as unknown as Json;
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
