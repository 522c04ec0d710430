import { certificateFault } from '../../../../runtime/temporal/reach/certificate-fault';

// A server of Node only closes the connection; those of Go and OpenSSL say why, in alerts.
it.each([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'sslv3 alert bad certificate'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'sslv3 alert certificate expired'],
])('%s refuses the certificate that the client has, or asks for one', (code, problem) => {
  const message = `10C0B5D3:error:0A000418:SSL routines:ssl3_read_bytes:${problem}:../deps/openssl/ssl/record.c:1605:\n`;
  const error = Object.assign(new Error(message), { code });
  const pem = Buffer.from('');
  const clientCertPair = { crt: pem, key: pem };
  expect(certificateFault(error, { clientCertPair })).toEqual({ fault: 'refusedCertificate', problem });
  expect(certificateFault(error, {})).toEqual({ fault: 'wantsCertificate', problem });
});

it('other errors say nothing about certificates', () => {
  const error = Object.assign(new Error('wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  expect(certificateFault(error, {})).toBeUndefined();
});
