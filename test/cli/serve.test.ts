import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '../../cli/serve';
import { ROOT } from '../docs/pages';
import { answering } from './grpc-server';
import { projectAt } from './project';

test('a namespace that is not there ends `holdfast serve` at its start, and not each request', async () => {
  const server = answering({ DescribeNamespace: 5 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agents = join(ROOT, 'examples/first-agent/agents.ts');
  const project = projectAt({ address, taskQueue: 'holdfast' }, `agents: ${agents}`, 'gateway: {port: 0}');
  try {
    await expect(serve({ config: project.config })).rejects.toMatchObject({
      type: 'NamespaceNotFound',
      data: { namespace: 'default' },
    });
  } finally {
    project.remove();
    server.close();
  }
});
