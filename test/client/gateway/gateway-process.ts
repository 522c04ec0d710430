import { setTimeout } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { AgentClient } from '../../../client';
import { gatewayOf, serveGateway } from '../../../client/gateway';
import { openBus } from '../../../runtime/bus/open-bus';
import { SILENT_LOG } from '../../../runtime/log';
import { connect } from '../../../runtime/temporal/connection';

const COLLECTIONS = 3;
const CALLS = 500;
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
  let collecting = 0;
  process.on('message', async (asked) => {
    const before = microseconds();
    if (asked === 'call') {
      for (let n = 0; n < CALLS; n++) await connection.workflowService.describeNamespace({ namespace: 'default' });
      const spent = microseconds() - before;
      collecting += spent;
      process.send?.(spent / CALLS);
      return;
    }
    // What a first collection has freed goes back to the system later, and what held it is garbage only then.
    for (let n = 0; n < COLLECTIONS; n++) {
      globalThis.gc?.();
      await setTimeout(100);
    }
    collecting += microseconds() - before;
    const { rss, heapUsed } = process.memoryUsage();
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    process.send?.({ rss, heap: heapUsed, cpu: microseconds() - collecting, sockets });
  });
  process.send?.({ url });
}

function microseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

void main(process.argv.slice(2));
