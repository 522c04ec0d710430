import { keyOfArguments } from '../../agent/approvals/approval';
import { sha256 } from '../../runtime/sha256';

/** Characters of a text that are kept as they are. */
const MAX_TEXT = 500;

/**
 * What a remembered decision holds for, from what `rememberBy` gave. No text, or an empty one, which would stand for every
 * call of the tool: these very arguments alone. A model that leaves a field empty must not widen what a person granted.
 * The prefixes differ, so that no text, which the model may have chosen, equals the key of arguments.
 */
export function grantKey(text: unknown, hash: string): string {
  if (typeof text !== 'string' || text === '') return keyOfArguments(hash);
  return text.length <= MAX_TEXT ? `by:${text}` : `by-sha256:${sha256(text)}`;
}
