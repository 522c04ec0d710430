import { HoldfastError } from '../../agent/errors/error';
import { addressOf, checkedToken, type RemoteAddress } from '../../client/remote/address';
import { warn } from '../../runtime/print';

/** Where a command finds runs: with a temporal.yaml, or at the address of `holdfast serve`. */
export interface Place {
  config?: string;
  url?: string;
}

/** An address, and where it was given. */
export interface GivenAddress extends RemoteAddress {
  place: 'HOLDFAST_URL' | '--url';
}

interface Environment {
  HOLDFAST_URL?: string;
  HOLDFAST_TOKEN?: string;
}

/** Names of this machine, to which a token goes over no network. */
const HERE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The served address that a command is to use, if there is one: `--url`, else `HOLDFAST_URL`. `--config` says that there
 * is none.
 * @throws HoldfastError `InvalidConfig`
 */
export function addressAt({ url, config }: Place, env: Environment = process.env): GivenAddress | undefined {
  const given = url ?? (config === undefined ? env.HOLDFAST_URL : undefined);
  if (given === undefined || (url === undefined && given === '')) return undefined;
  const place = url === undefined ? 'HOLDFAST_URL' : '--url';
  const address = addressOf(given, place);
  const token = address.token ?? (env.HOLDFAST_TOKEN || undefined);
  if (token === undefined) {
    const problem = `Set it to the key or token for ${address.url}`;
    throw new HoldfastError('InvalidConfig', { file: 'HOLDFAST_TOKEN', problem });
  }
  return {
    url: address.url,
    token: checkedToken(token, address.token === undefined ? 'HOLDFAST_TOKEN' : place),
    place,
  };
}

/** Says so where a token goes over a network that others may read. */
export function warnOfPlainHttp({ url }: RemoteAddress): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'http:' && !HERE.test(hostname))
    warn(`!     The token goes to ${host} without encryption: use https`);
}
