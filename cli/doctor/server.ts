import { Client, type Connection, isGrpcServiceError } from '@temporalio/client';
import type { Agent } from '../../agent/define/agent-definition';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { ErrorData } from '../../agent/errors/error-data';
import { registerAttributesCommand, SEARCH_ATTRIBUTES } from '../../agent/protocol/search-attributes';
import type { Config } from '../../runtime/config/config';
import { connect, localAddress } from '../../runtime/temporal/connection';
import { isNotFound } from '../../runtime/temporal/not-found';
import { pollers } from '../../runtime/temporal/pollers';
import { OTHER_AGENTS, withOtherAgents } from '../../workers/other-workers';
import { hasSearchAttributes } from '../../workers/search-attributes';
import { agentsHash, parseIdentity } from '../../workers/worker-identity';
import type { Tell } from './finding';
import { checkOpenRuns } from './runs/open-runs';

/** Checks the server, its namespace, its workers and its open runs. */
export async function checkServer(
  tell: Tell,
  config: Config,
  { canServe, agents }: { canServe: boolean; agents: readonly Agent[] },
): Promise<void> {
  const { address, namespace, taskQueue } = config.temporal;
  let connection: Connection;
  try {
    connection = await connect(config);
  } catch (error) {
    if (localAddress(address) !== undefined && canServe && isFree(error)) {
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
    checkAgentsOf(tell, working, { taskQueue, agents });
    const code = { agents, models: Object.keys(config.models), outlets: Object.keys(config.outlets) };
    if (agents.length > 0) await checkOpenRuns(tell, new Client({ connection, namespace }), { taskQueue, code });
  } finally {
    await connection.close();
  }
}

/** Whether a server can be started where none is: not where something else listens. */
function isFree(error: unknown): boolean {
  return (
    error instanceof HoldfastError &&
    error.type === 'NoServer' &&
    (error.data as ErrorData['NoServer']).fault === 'refused'
  );
}

/** Workers of one queue have to know the same agents: those of this temporal.yaml, if it names any. */
function checkAgentsOf(
  tell: Tell,
  working: readonly string[],
  { taskQueue, agents }: { taskQueue: string; agents: readonly Agent[] },
): void {
  const known = working.map(parseIdentity).find((worker) => worker !== undefined)?.agents;
  const own = agents.length > 0 ? agentsHash(agents) : known;
  const others = own === undefined ? [] : withOtherAgents(working, own);
  if (others.length === 0) return;
  const than = agents.length > 0 ? 'those of this temporal.yaml' : 'each other';
  const found = `${others.join(', ')} on the task queue ${taskQueue}: their agents or tools differ from ${than}`;
  tell({ state: 'note', what: 'agents of workers', found, todo: OTHER_AGENTS });
}

async function checkNamespace(tell: Tell, connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    tell({ state: 'ok', what: 'namespace', found: namespace });
    return true;
  } catch (error) {
    if (isNotFound(error)) {
      const todo = `temporal operator namespace create --namespace ${namespace}, or correct \`temporal.namespace\``;
      tell({ state: 'missing', what: 'namespace', found: `the server has no namespace ${namespace}`, todo });
    } else {
      const found = isGrpcServiceError(error) ? error.details : messageOf(error);
      const todo = 'check the namespace, and what the API key or certificate may do there';
      tell({ state: 'missing', what: 'namespace', found: `${namespace} cannot be read (${found})`, todo });
    }
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
    // Temporal Cloud has no operator service.
    tell({ state: 'note', what, found: `cannot be listed here (${messageOf(error)})` });
  }
}
