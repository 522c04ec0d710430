import { Client } from '@temporalio/client';
import { AgentClient } from '../../../client';
import { gatewayOf, serveGateway } from '../../../client/gateway';
import { SILENT_LOG } from '../../../runtime/log';
import { connect } from '../../../runtime/temporal/connection';

/** A gateway that tells its parent what it uses. */
async function main([address = '', localToken = '']: string[]): Promise<void> {
  const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: 'holdfast-test' } });
  const client = new AgentClient(new Client({ connection }), { taskQueue: 'holdfast-test' });
  const config = { ...gatewayOf({ limits: { requests: 100_000, streams: 2000 } }), port: 0 };
  const { url } = await serveGateway({
    client,
    agents: [],
    config,
    localToken,
    user: 'ann',
    log: SILENT_LOG,
    page: null,
  });
  process.on('message', () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heap: heapUsed, cpu: user + system });
  });
  process.send?.({ url });
}

void main(process.argv.slice(2));
