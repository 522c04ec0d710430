import { keyOfArguments } from '../../agent/approvals/approval';
import { sha256 } from '../../runtime/sha256';

/** A text of up to this many characters is kept as it is; a longer one is hashed. */
const MAX_TEXT = 500;

/**
 * What a remembered decision covers, from the value that `rememberBy` returned. A missing or empty text, which would
 * cover every call of the tool, covers exactly these arguments only: a model that leaves a field empty must not widen
 * what a person granted. The prefixes differ so that no text, which the model may have chosen, equals the key of
 * arguments.
 */
export function grantKey(text: unknown, hash: string): string {
  if (typeof text !== 'string' || text === '') return keyOfArguments(hash);
  return text.length <= MAX_TEXT ? `by:${text}` : `by-sha256:${sha256(text)}`;
}
