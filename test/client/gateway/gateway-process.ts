import { Client } from '@temporalio/client';
import { AgentClient } from '../../../client';
import { gatewayOf, serveGateway } from '../../../client/gateway';
import { openBus } from '../../../runtime/bus/open-bus';
import { SILENT_LOG } from '../../../runtime/log';
import { connect } from '../../../runtime/temporal/connection';

const LIMITS = { requests: 100_000, streams: 2000 };

/** A gateway that tells its parent what it uses. */
async function main([address = '', localToken = '', limits = '{}']: string[]): Promise<void> {
  const temporal = { address, namespace: 'default', taskQueue: 'holdfast-test' };
  const connection = await connect({ temporal });
  const bus = openBus({ temporal }, { log: SILENT_LOG });
  const client = new AgentClient(new Client({ connection }), { taskQueue: temporal.taskQueue, bus });
  const config = { ...gatewayOf({ limits: { ...LIMITS, ...JSON.parse(limits) } }), port: 0 };
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
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    process.send?.({ rss, heap: heapUsed, cpu: user + system, sockets });
  });
  process.send?.({ url });
}

void main(process.argv.slice(2));
