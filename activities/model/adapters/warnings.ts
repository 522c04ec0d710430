import { asyncLocalStorage } from '@temporalio/activity';
import { isJsonObject } from '../../../agent/values/json';
import { createLog } from '../../../runtime/log';

/** Characters of one warning that are logged. */
const MAX_WARNING = 300;
/** Warnings of one model that are told apart; later ones are not logged. */
const MAX_WARNINGS = 100;

/** What a provider does not take. */
export interface Ignored {
  readonly provider: string;
  readonly model: string;
  readonly warnings: readonly string[];
}

const WHAT = 'A provider does not take a request as it is.';

let tell = (ignored: Ignored): void => createLog().warn(ignored, WHAT);

/** Says what is done with warnings that come outside of a run, such as in a call that only tries a model. Default: they are logged. */
export function tellWarningsTo(to: (ignored: Ignored) => void): void {
  tell = to;
}

/** Logs what a provider ignores in a request: each warning once, in one line for a call. */
export class Warnings {
  readonly #said = new Set<string>();

  constructor(private readonly about: { readonly provider: string; readonly model: string }) {}

  /** @param said warnings in the form of the AI SDK, or as text */
  log(said: unknown): void {
    const fresh = (Array.isArray(said) ? said : []).map(textOf).filter((text) => text !== '' && !this.#said.has(text));
    if (fresh.length === 0 || this.#said.size >= MAX_WARNINGS) return;
    for (const text of fresh) this.#said.add(text);
    const fields = { ...this.about, warnings: [...new Set(fresh)] };
    const context = asyncLocalStorage.getStore();
    if (context === undefined) tell(fields);
    else context.log.warn(WHAT, fields);
  }
}

function textOf(warning: unknown): string {
  if (typeof warning === 'string') return warning;
  if (!isJsonObject(warning)) return '';
  const { type, feature, setting, tool, details, message } = warning;
  const name = isJsonObject(tool) ? tool.name : undefined;
  return [type, feature ?? setting ?? name, details ?? message]
    .filter((part) => typeof part === 'string')
    .join(': ')
    .slice(0, MAX_WARNING);
}
