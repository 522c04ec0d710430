import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveBinary } from '../runtime/binaries/binaries';
import { endChild, endWithParent } from '../runtime/process/child-process';
import { freePort } from '../runtime/process/ports';
import { connect } from '../runtime/temporal/connection';
import { DEV_SERVER_ARGS } from '../workers/dev/dev-server-args';
import { registerSearchAttributes } from '../workers/search-attributes';

const PUSH = /WorkerCommandsEnabled|CancelActivityWorkerCommand/;
const TRIES = 500;

/** A dev server without our flags: it does not push a cancellation to workers, which see it at their next heartbeat. */
export async function startPlainServer(): Promise<{ address: string; stop(): Promise<void> }> {
  const port = await freePort('127.0.0.1');
  const values = DEV_SERVER_ARGS.filter((arg) => !arg.startsWith('--') && !PUSH.test(arg));
  const args = ['server', 'start-dev', '--headless', '--port', String(port), '--log-level', 'error'];
  for (const value of values) args.push('--dynamic-config-value', value);
  const child = spawn(await resolveBinary('temporal'), args, { stdio: 'ignore' });
  endWithParent(child);
  const address = `127.0.0.1:${port}`;
  const stop = () => endChild(child, 5000);
  for (let tries = 1; ; tries++) {
    try {
      const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: '' } });
      await registerSearchAttributes(connection, 'default').finally(() => connection.close());
      return { address, stop };
    } catch (error) {
      if (tries < TRIES) await sleep(20);
      else await stop().then(() => Promise.reject(error));
    }
  }
}
