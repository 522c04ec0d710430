import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';
import { LOOPBACK, selfSigned } from '../../../self-signed';
import { RUN_TS } from '../../../sources';
import { newFolder } from '../servers';
import { DONE, type FaultyServer, faultyServer } from './faulty-http-server';

const servers: FaultyServer[] = [];
const connections = new McpConnections();
afterAll(async () => {
  await connections.close();
  for (const server of servers) await server.close();
});

async function serve(pem?: string): Promise<string> {
  const server = await faultyServer(
    ({ response }) => void response.end(JSON.stringify(DONE)),
    pem === undefined ? {} : { pem },
  );
  servers.push(server);
  return server.url;
}

/** What a process reports that trusts the authorities of a file. */
async function trusting(url: string, authority: string): Promise<string> {
  const asks = require.resolve('./ask-server');
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  return (await promisify(execFile)(process.execPath, [RUN_TS, asks, url], { env })).stdout;
}

const problem = (url: string) => discoverTools(connections, 's', { url }).then(String, (error: Error) => error.message);

test('an unsigned certificate is named, and the variable of the advice helps', async () => {
  const pem = await selfSigned(LOOPBACK);
  const url = await serve(pem);
  const told = await problem(url);
  expect(told).toContain('a secure connection is not possible (DEPTH_ZERO_SELF_SIGNED_CERT)');
  expect(told).toContain('name the file of the authority in the variable NODE_EXTRA_CA_CERTS where the worker runs');
  expect(await trusting(url, fileOf(pem))).toBe('s.do');
});

test('a certificate of another host is named, and no authority is asked for', async () => {
  const pem = await selfSigned({ type: 2, value: 'elsewhere.example' });
  const told = await trusting(await serve(pem), fileOf(pem));
  expect(told).toContain('a secure connection is not possible (ERR_TLS_CERT_ALTNAME_INVALID)');
  expect(told).toContain('correct its `url`: the certificate is that of another host');
  expect(told).not.toContain('NODE_EXTRA_CA_CERTS');
});

test.each([
  ['has expired', 'CERT_HAS_EXPIRED', { notBeforeDate: new Date(2020, 0), notAfterDate: new Date(2021, 0) }],
  ['is not valid yet', 'CERT_NOT_YET_VALID', { notBeforeDate: new Date(2126, 0), notAfterDate: new Date(2127, 0) }],
])('a certificate that %s is named', async (_what, code, dates) => {
  const pem = await selfSigned(LOOPBACK, dates);
  const told = await trusting(await serve(pem), fileOf(pem));
  expect(told).toContain(`a secure connection is not possible (${code})`);
  expect(told).toContain('renew the certificate of the server');
  expect(told).not.toContain('NODE_EXTRA_CA_CERTS');
});

test('TLS to a server without TLS', async () => {
  const told = await problem((await serve()).replace('http:', 'https:'));
  expect(told).toMatch(/a secure connection is not possible \((EPROTO|ERR_SSL_\w+)\)\): correct its `url`/);
});

test('no TLS to a server with TLS', async () => {
  const told = await problem((await serve(await selfSigned(LOOPBACK))).replace('https:', 'http:'));
  expect(told).toContain('it closed the connection without an answer, and may expect `https:`): correct its `url`');
});

function fileOf(pem: string): string {
  const path = join(newFolder(), 'authority.pem');
  writeFileSync(path, pem);
  return path;
}
