import { generate, type SubjectAltNameEntry } from 'selfsigned';

/** The name in the certificate of a server on this machine. */
export const LOOPBACK: SubjectAltNameEntry = { type: 7, ip: '127.0.0.1' };

/** A self-signed key and certificate, in one PEM. */
export async function selfSigned(
  name: SubjectAltNameEntry = LOOPBACK,
  dates: { notBeforeDate?: Date; notAfterDate?: Date } = {},
): Promise<string> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [name] }];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'test' }], { extensions, ...dates });
  return key + cert;
}
