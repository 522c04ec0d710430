import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TLSConfig } from '@temporalio/client';

/** A setting of TLS by its name in temporal.yaml, and what is wrong with it. */
export interface TlsProblem {
  field: 'serverCa' | 'cert' | 'key';
  problem: string;
}

/**
 * What is wrong with the contents of certificates and keys. Without this look, a connection would fail with the words of
 * OpenSSL, or ignore them.
 */
export function tlsProblem({ serverRootCACertificate, clientCertPair }: TLSConfig): TlsProblem | undefined {
  const ca = serverRootCACertificate === undefined ? undefined : certificateIn(serverRootCACertificate);
  if (typeof ca === 'string') return { field: 'serverCa', problem: ca };
  if (clientCertPair === undefined || clientCertPair === null) return undefined;
  const cert = certificateIn(clientCertPair.crt);
  if (typeof cert === 'string') return { field: 'cert', problem: cert };
  const key = keyIn(clientCertPair.key);
  if (typeof key === 'string') return { field: 'key', problem: key };
  if (cert.checkPrivateKey(key)) return undefined;
  return { field: 'key', problem: 'This is not the key of the certificate of the client' };
}

/** The first certificate, or the problem. */
function certificateIn(pem: Uint8Array): X509Certificate | string {
  const text = Buffer.from(pem).toString('latin1');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    const found = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/.test(text) ? ', and there is a private key in it' : '';
    return `Expected a certificate in PEM form, which begins with \`-----BEGIN CERTIFICATE-----\`${found}`;
  }
  try {
    return new X509Certificate(pem);
  } catch {
    return 'The certificate cannot be read: it may be cut off';
  }
}

function keyIn(pem: Uint8Array): KeyObject | string {
  const text = Buffer.from(pem).toString('latin1');
  if (!/-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/.test(text)) {
    const found = text.includes('-----BEGIN CERTIFICATE-----') ? ', and there is a certificate in it' : '';
    return `Expected a private key in PEM form, which begins with \`-----BEGIN PRIVATE KEY-----\`${found}`;
  }
  try {
    return createPrivateKey(Buffer.from(pem));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_MISSING_PASSPHRASE'
      ? 'The private key is encrypted; give one without a passphrase'
      : 'The private key cannot be read: it may be cut off';
  }
}
