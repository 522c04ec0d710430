import type { TLSConfig } from '@temporalio/client';
import type { ServerFault } from '../../../agent/errors/tried-server';

/** Why no connection can be made, with the words of the system. */
export interface FoundFault {
  fault: ServerFault;
  problem: string;
}

export type ServerCertificateFault = Extract<ServerFault, 'expired' | 'untrusted' | 'otherName'>;

const ALERT = /^ERR_SSL_.*ALERT/;
const OF_CLIENT = /CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED|DECRYPT_ERROR/;
const EXPIRED: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

/** Whether an error is what a server of TLS says before it closes a connection. */
export function isAlert({ code = '' }: NodeJS.ErrnoException): boolean {
  return ALERT.test(code);
}

/** What is wrong with the certificate of a server, by the code of Node's error. */
export function serverCertificateFault(code: string): ServerCertificateFault | undefined {
  if (EXPIRED.has(code)) return 'expired';
  if (UNTRUSTED.has(code)) return 'untrusted';
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'otherName' : undefined;
}

/** What is wrong with a certificate, of the server or of the client. */
export function certificateFault(error: NodeJS.ErrnoException, { clientCertPair }: TLSConfig): FoundFault | undefined {
  const { code = '', message } = error;
  const problem = message.replace(/^[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:/, '').split(':')[0] ?? message;
  const ofServer = serverCertificateFault(code);
  if (ofServer !== undefined) return { fault: ofServer, problem: message };
  if (!isAlert(error) || !OF_CLIENT.test(code)) return undefined;
  return { fault: clientCertPair ? 'refusedCertificate' : 'wantsCertificate', problem };
}
