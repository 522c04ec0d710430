import { HoldfastError } from '../../agent/errors/error';

/** A served address, without the token that a printed one has. */
export interface RemoteAddress {
  url: string;
  token?: string;
}

/**
 * Takes an address apart. `#token=…` at its end, as `holdfast serve` prints it, is the token.
 * @param place where the address was given, for the error
 * @throws HoldfastError `InvalidConfig`
 */
export function addressOf(given: string, place = 'url'): RemoteAddress {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The address may have a token.
    const problem = `Expected an http or https address, got \`${given.replace(/#.*$/s, '')}\``;
    throw new HoldfastError('InvalidConfig', { file: place, problem });
  }
  if (url.username !== '' || url.password !== '') {
    throw new HoldfastError('InvalidConfig', {
      file: place,
      problem: 'Expected an address without a user and password',
    });
  }
  const token = new URLSearchParams(url.hash.slice(1)).get('token');
  const path = url.pathname.replace(/\/+$/, '');
  return { url: `${url.origin}${path}`, ...(token === null || token === '' ? {} : { token }) };
}

/** Characters that a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * A token that can be sent.
 * @throws HoldfastError `InvalidConfig`, which does not quote it
 */
export function checkedToken(given: string, place = 'token'): string {
  const token = given.trim();
  if (TOKEN.test(token)) return token;
  const problem = 'Expected a key or token of printable ASCII characters without spaces';
  throw new HoldfastError('InvalidConfig', { file: place, problem });
}
