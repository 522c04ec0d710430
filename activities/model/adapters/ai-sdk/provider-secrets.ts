import { isJsonObject } from '../../../../agent/values/json';
import { environmentSecrets, headerSecrets, urlSecrets } from '../../../../runtime/secrets/secret-values';
import type { AiSdkModel } from './language-model';

/** Milliseconds for a provider that has to ask for its headers. */
const PATIENCE = 1000;

/**
 * What must not appear in errors of a provider's object: keys in its headers, as far as it lets see them or `safeFetch` sends
 * them, and secrets of the environment, from which most providers read their key.
 */
export class ProviderSecrets {
  readonly #known = new Set<string>();

  constructor(private readonly model: AiSdkModel) {}

  get list(): readonly string[] {
    return [...this.#known, ...environmentSecrets(process.env)];
  }

  /** Reads the headers that the provider sends with its requests; keys may change from call to call. */
  async learn(sent: { readonly [name: string]: string }): Promise<void> {
    this.#add(sent);
    const config: unknown = 'config' in this.model ? this.model.config : undefined;
    if (!isJsonObject(config)) return;
    if (typeof config.baseURL === 'string') for (const secret of urlSecrets(config.baseURL)) this.#known.add(secret);
    this.#add(await headersOf(config.headers));
  }

  #add(headers: unknown): void {
    if (!isJsonObject(headers)) return;
    const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    for (const secret of headerSecrets(Object.fromEntries(texts))) this.#known.add(secret);
  }
}

/** Headers, or what gives them. */
async function headersOf(given: unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([typeof given === 'function' ? given() : given, late]);
  } catch {
    // It throws if there is no key: then there is none to hide.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
