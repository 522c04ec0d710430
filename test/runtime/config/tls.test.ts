import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../self-signed';
import { YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();
let key = '';
let cert = '';
let other = '';

beforeAll(async () => {
  [key = '', cert = ''] = parts(await selfSigned());
  [other = ''] = parts(await selfSigned());
});

/** The key and the certificate of one PEM. */
function parts(pem: string): string[] {
  return pem.split(/(?=-----BEGIN CERTIFICATE)/);
}

function file(name: string, text: string): string {
  writeFileSync(join(yaml.dir, name), text);
  return join(yaml.dir, name);
}

const CERTIFICATE = 'Expected a certificate in PEM form, which begins with `-----BEGIN CERTIFICATE-----`';
const KEY = 'Expected a private key in PEM form, which begins with `-----BEGIN PRIVATE KEY-----`';

describe('files of TLS in temporal.yaml', () => {
  it('are taken when each holds what it should', async () => {
    file('cert.pem', cert);
    file('key.pem', key);
    const { temporal } = await yaml.load('temporal: {tls: {serverCa: cert.pem, cert: cert.pem, key: key.pem}}\n');
    expect(temporal).toMatchObject({ tlsFrom: 'file', tls: { clientCertPair: { crt: Buffer.from(cert) } } });
  });

  it('are refused at the place of the one that holds something else', async () => {
    file('cert.pem', cert);
    file('key.pem', key);
    file('other.pem', other);
    file('empty.pem', '');
    file('cut.pem', cert.slice(0, 200));
    const wrong = (tls: string) => yaml.wrong(`temporal: {tls: {${tls}}}\n`);
    expect(await wrong('serverCa: empty.pem')).toBe(`1:28 ${CERTIFICATE}`);
    expect(await wrong('serverCa: key.pem')).toBe(`1:28 ${CERTIFICATE}, and there is a private key in it`);
    expect(await wrong('serverCa: cut.pem')).toBe('1:28 The certificate cannot be read: it may be cut off');
    expect(await wrong('cert: key.pem, key: cert.pem')).toBe(`1:24 ${CERTIFICATE}, and there is a private key in it`);
    expect(await wrong('cert: cert.pem, key: cert.pem')).toBe(`1:39 ${KEY}, and there is a certificate in it`);
    expect(await wrong('cert: cert.pem, key: other.pem')).toBe(
      '1:39 This is not the key of the certificate of the client',
    );
  });

  it('come in pairs', async () => {
    expect(await yaml.wrong('temporal: {tls: {cert: cert.pem}}\n')).toContain('`cert` and `key` belong together');
  });
});

describe('files of TLS in the environment', () => {
  const wrong = (env: Record<string, string>) =>
    yaml.load('', env).then(
      () => 'loaded',
      ({ message }: Error) => message,
    );

  it('come in pairs, of which the SDK would leave out a half', async () => {
    expect(await wrong({ TEMPORAL_TLS_CLIENT_CERT_PATH: file('cert.pem', cert) })).toBe(
      'TEMPORAL_TLS_CLIENT_CERT_PATH: A client is known by a certificate and its private key, and here is only the certificate. Name the file of its private key in TEMPORAL_TLS_CLIENT_KEY_PATH',
    );
    expect(await wrong({ TEMPORAL_TLS_CLIENT_KEY_DATA: key })).toBe(
      'TEMPORAL_TLS_CLIENT_KEY_DATA: A client is known by a certificate and its private key, and here is only the private key. Name the file of its certificate in TEMPORAL_TLS_CLIENT_CERT_PATH',
    );
  });

  it('are named by variable and path when they hold something else', async () => {
    const path = file('empty.pem', '');
    expect(await wrong({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: path })).toBe(
      `TEMPORAL_TLS_SERVER_CA_CERT_PATH: ${path}: ${CERTIFICATE}`,
    );
  });

  it('are not looked at where TLS is off', async () => {
    const env = { TEMPORAL_TLS: 'false', TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere' };
    expect((await yaml.load('', env)).temporal.tls).toBe(false);
  });
});
