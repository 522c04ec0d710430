import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { ServerFault } from '../../agent/errors/tried-server';
import { defined } from '../../agent/values/defined';
import { type ServerCertificateFault, serverCertificateFault } from '../../runtime/temporal/reach/certificate-fault';

/** Why a request got no answer, in plain words, and what to do. */
interface Explanation {
  problem: string;
  todo?: string;
  /** A fault that stays. */
  fault?: ServerFault;
}

const TRUST =
  'If it is the right server, name the file of its certificate, or of the authority that signed it, in the variable NODE_EXTRA_CA_CERTS';

/** By what is wrong with the certificate of the server. */
const CERTIFICATE: { readonly [F in ServerCertificateFault]: Explanation } = {
  untrusted: { problem: 'its certificate is not trusted here', todo: TRUST },
  expired: {
    problem: 'its certificate is not valid now',
    todo: 'Renew the certificate of the server, and check the clock of this machine',
  },
  otherName: {
    problem: 'its certificate is for another name',
    todo: 'Use the name of the certificate in the address',
  },
};

/** By the codes of Node and of its `fetch`. */
const EXPLAINED: { readonly [code: string]: Explanation } = {
  ECONNREFUSED: { problem: 'connection refused, nothing listens on this port' },
  ENOTFOUND: { problem: 'there is no host of this name', todo: 'Check the spelling of the address, and the network' },
  EAI_AGAIN: {
    problem: 'the name of the host cannot be looked up now',
    todo: 'Check the spelling of the address, and the network',
  },
  UND_ERR_CONNECT_TIMEOUT: {
    problem: 'the host does not answer',
    todo: 'Check the address, the network and firewalls',
  },
  EHOSTUNREACH: { problem: 'the host cannot be reached', todo: 'Check the address, the network and firewalls' },
  UND_ERR_SOCKET: { problem: 'it closes the connection' },
  ECONNRESET: { problem: 'it closes the connection' },
  HPE_INVALID_CONSTANT: {
    problem: 'what answers there does not speak HTTP',
    todo: "Check the port: that of `holdfast serve` is usually 4080, and 7233 is Temporal's own",
    fault: 'otherProtocol',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    problem: 'the server there speaks no TLS',
    todo: 'Write `http://` in place of `https://`, or check the port',
    fault: 'noTls',
  },
};

/** The error for a request that got no answer. */
export function unreached(url: string, error: unknown): HoldfastError {
  const { code, said } = reasonOf(error);
  const fault = serverCertificateFault(code);
  const known = fault === undefined ? EXPLAINED[code] : { ...CERTIFICATE[fault], fault };
  // Servers of TLS close a connection that begins otherwise.
  const secure = known === EXPLAINED.UND_ERR_SOCKET || known === EXPLAINED.ECONNRESET;
  const hint = secure && url.startsWith('http:') ? '; if it wants TLS, write `https://`' : '';
  return noServer(
    url,
    known === undefined ? said : known.problem + hint,
    defined({ todo: known?.todo, fault: known?.fault }),
  );
}

/** The error for an address at which no server answers. */
export function noServer(
  url: string,
  problem: string,
  { todo, fault }: { todo?: string; fault?: ServerFault } = {},
): HoldfastError {
  const advice = todo ?? 'Check the address, and that `holdfast serve` runs there';
  const message = `No server answers at ${url} (${problem}). ${advice}.`;
  return new HoldfastError('NoServer', { address: url, problem, ...defined({ fault }) }, { message });
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): { code: string; said: string } {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? { code, said: code } : { code: '', said: messageOf(cause ?? error) };
}
