import type { ServerModel } from '../../../../agent/model/config';
import { headerSecrets, urlSecrets } from '../../../../runtime/secrets/secret-values';

/** A base URL without parts that may be secret. */
export function addressOf(baseUrl: string): string {
  try {
    const url = new URL(baseUrl);
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  } catch {
    return baseUrl;
  }
}

/** Servers repeat keys in their messages, and some proxies repeat whole headers or addresses. */
export function secretsOf({ apiKey, headers, baseUrl }: ServerModel): string[] {
  return [apiKey ?? '', ...headerSecrets(headers), ...urlSecrets(baseUrl)];
}
