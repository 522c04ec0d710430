import { asyncLocalStorage } from '@temporalio/activity';
import { isJsonObject } from '../../../agent/values/json';
import { createLog } from '../../../runtime/log';

/** Characters of one warning that are logged. */
const MAX_WARNING = 300;
/** Warnings of one model that are told apart; later ones are not logged. */
const MAX_WARNINGS = 100;

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
    const what = 'A provider does not take a request as it is.';
    const context = asyncLocalStorage.getStore();
    if (context === undefined) createLog().warn(fields, what);
    else context.log.warn(what, fields);
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
