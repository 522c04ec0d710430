import type { JsonSchema } from '../../agent/protocol/manifest';
import { opens, parseJson } from '../json-extent';
import { afterThinking } from '../model/answer/think-tags';
import { scanJson } from './scan-json';
import { ANY_KIND, isOnly, type JsonKind, kindOf, kindsOf } from './schema-kinds';

/** What an answer says, as the output of a run. */
export type ReadOutput =
  | { type: 'json'; value: unknown }
  | { type: 'text' }
  /** It is larger than what may be parsed, such as `made of more than 20000 values`. */
  | { type: 'excess'; excess: string };

/**
 * Finds the JSON in an answer: the whole text, a fenced block, or the first whole object or array that the schema may
 * accept, after reasoning, after and before other text. Reads each character a few times at most.
 * @param schema JSON Schema of the output. Without it, only an answer that is JSON as a whole is JSON.
 */
export function readOutput(answer: string, schema: JsonSchema | undefined): ReadOutput {
  const kinds = schema === undefined ? ANY_KIND : kindsOf(schema);
  const text = withoutFence(afterThinking(answer).trim());
  const whole = parsed(text);
  if (whole !== undefined && kinds.has(kindOf(whole.value))) return { type: 'json', ...whole };
  // A text may look like any JSON.
  if (schema === undefined || isOnly(kinds, 'string')) return { type: 'text' };
  const found = whole ?? firstIn(text, kinds);
  if (found === undefined) return { type: 'text' };
  if ('excess' in found) return kinds.has('string') ? { type: 'text' } : { type: 'excess', excess: found.excess };
  // Of a kind that does not fit: the check says so, unless the answer is a text.
  return kinds.has('string') && !kinds.has(kindOf(found.value)) ? { type: 'text' } : { type: 'json', ...found };
}

type Found = { value: unknown } | { excess: string };

/**
 * The first object or array of the text that is of one of the kinds, else the first of another kind. What is within a
 * broken or unfinished value is not looked at: it would be taken for the answer.
 */
function firstIn(text: string, kinds: ReadonlySet<JsonKind>): Found | undefined {
  let other: Found | undefined;
  // Places that an earlier scan took for the beginning of a value. No character is then scanned more than twice: of two
  // scans that go over a character, one takes it for a part of a text.
  let seen: Uint8Array | undefined;
  const see = (at: number) => {
    seen ??= new Uint8Array(text.length);
    seen[at] = 1;
  };
  for (let at = 0; at < text.length; at++) {
    if (!opens(text.charCodeAt(at)) || seen?.[at] === 1) continue;
    const scanned = scanJson(text, at, see);
    if (scanned.type === 'excess') return scanned;
    if (scanned.type === 'broken') continue;
    const found = parsed(text.slice(at, scanned.end));
    if (found === undefined) continue;
    if (kinds.has(kindOf(found.value))) return found;
    other ??= found;
    at = scanned.end - 1;
  }
  return other;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

const FENCE = '```';

/** The content of a fenced block, if that is the whole text. */
function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  const line = text.indexOf('\n');
  const block = line < 0 ? undefined : text.slice(line + 1, -FENCE.length);
  return block === undefined || block.includes(FENCE) ? text : block.trim();
}
