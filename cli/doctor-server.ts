import type { Connection } from '@temporalio/client';
import { HoldfastError, messageOf } from '../agent/error';
import { registerAttributesCommand, SEARCH_ATTRIBUTES } from '../agent/search-attributes';
import type { Config } from '../runtime/config';
import { connect } from '../runtime/connection';
import { hasSearchAttributes } from '../workers/search-attributes';
import type { Tell } from './doctor-checks';
import { pollers } from './pollers';

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\]):/;

/** The server, its namespace, and who works there. */
export async function checkServer(tell: Tell, config: Config, canServe: boolean): Promise<void> {
  const { address, namespace, taskQueue } = config.temporal;
  let connection: Connection;
  try {
    connection = await connect(config);
  } catch (error) {
    if (LOCAL.test(address) && canServe) {
      tell({ state: 'note', what: 'server', found: `none at ${address}`, todo: 'start one with `holdfast dev`' });
    } else tell({ state: 'missing', what: 'server', found: messageOf(error) });
    return;
  }
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    tell({ state: 'ok', what: 'server', found: `${serverVersion ?? 'unknown version'} at ${address}` });
    if (!(await checkNamespace(tell, connection, namespace))) return;
    await checkAttributes(tell, connection, namespace);
    const working = await pollers(connection, namespace, taskQueue);
    tell(
      working.length > 0
        ? { state: 'ok', what: 'workers', found: `${working.join(', ')} on the task queue ${taskQueue}` }
        : { state: 'note', what: 'workers', found: new HoldfastError('NoWorker', { taskQueue }).message },
    );
  } finally {
    await connection.close();
  }
}

async function checkNamespace(tell: Tell, connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    tell({ state: 'ok', what: 'namespace', found: namespace });
    return true;
  } catch (error) {
    const todo = `temporal operator namespace create --namespace ${namespace}`;
    tell({ state: 'missing', what: 'namespace', found: messageOf(error), todo });
    return false;
  }
}

async function checkAttributes(tell: Tell, connection: Connection, namespace: string): Promise<void> {
  const what = 'search attributes';
  try {
    if (await hasSearchAttributes(connection, namespace)) {
      tell({ state: 'ok', what, found: SEARCH_ATTRIBUTES.join(', ') });
      return;
    }
    const todo = `${registerAttributesCommand(namespace)}, then restart the workers`;
    tell({ state: 'note', what, found: 'not registered: runs work, but cannot be searched by them', todo });
  } catch (error) {
    // Temporal's cloud has no operator service.
    tell({ state: 'note', what, found: `cannot be listed here (${messageOf(error)})` });
  }
}
