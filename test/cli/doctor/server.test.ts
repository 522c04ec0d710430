import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Finding } from '../../../cli/doctor/finding';
import { checkServer } from '../../../cli/doctor/server';
import { loadConfig } from '../../../runtime/config/config';
import { answering } from '../grpc-server';

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function at(server: unknown): Promise<string> {
  const listener = server as Server;
  opened.push(listener);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return `127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

async function found(address: string, env: Record<string, string> = {}): Promise<Finding[]> {
  const config = await loadConfig({ cwd: '/', env: { TEMPORAL_ADDRESS: address, ...env } });
  const findings: Finding[] = [];
  await checkServer((finding) => findings.push(finding), config, { canServe: true, agents: [] });
  return findings;
}

test('where nothing listens, `holdfast dev` starts a server', async () => {
  const address = await at(createHttp());
  const listener = opened.pop() as Server;
  listener.close();
  await once(listener, 'close');
  expect(await found(address)).toEqual([
    { state: 'note', what: 'server', found: `none at ${address}`, todo: 'start one with `holdfast dev`' },
  ]);
});

test('where an HTTP server listens, none can be started, and the address is wrong', async () => {
  const address = await at(createHttp((_request, response) => response.end('hello')));
  expect(await found(address)).toEqual([
    {
      state: 'missing',
      what: 'server',
      found: `No Temporal server answers at ${address} (from TEMPORAL_ADDRESS; without TLS): an HTTP server answers there. Temporal's own port is usually 7233, that of its Web UI 8233: correct TEMPORAL_ADDRESS.`,
    },
  ]);
});

test('a namespace that is not there can be created; one that may not be read cannot', async () => {
  const missing = await found(await at(answering({ DescribeNamespace: 5 })), { TEMPORAL_NAMESPACE: 'agents' });
  expect(missing.at(-1)).toEqual({
    state: 'missing',
    what: 'namespace',
    found: 'the server has no namespace agents',
    todo: 'temporal operator namespace create --namespace agents, or correct `temporal.namespace`',
  });
  const refused = await found(await at(answering({ DescribeNamespace: 7 })), { TEMPORAL_NAMESPACE: 'agents' });
  expect(refused.at(-1)).toEqual({
    state: 'missing',
    what: 'namespace',
    found: 'agents cannot be read (no)',
    todo: 'check the namespace, and what the API key or certificate may do there',
  });
});
