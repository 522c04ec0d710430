import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time';
import { connect } from '../../runtime/temporal/connection';
import { isNotFound } from '../../runtime/temporal/not-found';
import { registerSearchAttributes } from '../../workers/search-attributes';

/** How long the server keeps ended runs: the least that it takes. */
const RETENTION = '1 day';

/** Milliseconds in which the parts of a server know a new namespace. */
const KNOWN_WITHIN = 30_000;

/**
 * A new namespace, with our search attributes, on a dev server that is in use already. It takes a tenth of a second, where
 * a server takes one to start and three to end. What runs in another namespace is neither listed nor found in it.
 */
export async function openNamespace(address: string): Promise<string> {
  const namespace = `holdfast-${randomUUID()}`;
  const connection = await connect({ temporal: { address, namespace, taskQueue: '' } });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    });
    const deadline = Date.now() + KNOWN_WITHIN;
    const list = () => connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
    while (
      !(await list().then(
        () => true,
        (error) => orUnknown(error, deadline),
      ))
    ) {
      await new Promise((done) => setTimeout(done, 10));
    }
    await registerSearchAttributes(connection, namespace);
    return namespace;
  } finally {
    await connection.close();
  }
}

function orUnknown(error: unknown, deadline: number): false {
  if (!isNotFound(error) || Date.now() > deadline) throw error;
  return false;
}
