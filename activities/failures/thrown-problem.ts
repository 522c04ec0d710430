import { thrownText } from '../../agent/errors/thrown-text';
import { hideSecrets } from '../../runtime/secrets/redact';
import { environmentSecrets } from '../../runtime/secrets/secret-values';

/** Characters of a thrown error's text that are kept: some libraries put whole documents into it. */
const MAX_TEXT = 2000;

/** What code of the user threw, with its innermost cause. Secrets of the environment are hidden. */
export function thrownProblem(error: unknown): string {
  return withoutSecrets(thrownText(error)).slice(0, MAX_TEXT);
}

/** Libraries put the address, or the headers, of a request into their errors. */
export function withoutSecrets(text: string): string {
  return hideSecrets(text, environmentSecrets(process.env));
}
