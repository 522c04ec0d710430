import { ApplicationFailure, Context } from '@temporalio/activity';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { HistoryRef } from '../../agent/protocol/entities/archive';
import { queryBetweenTasks } from '../../runtime/temporal/query-between-tasks';

const TRIES = 5;
/** Milliseconds that one query may take: on a busy run it waits for the current workflow task. */
const DEADLINE = 15_000;

/**
 * Queries exactly the run that scheduled this activity. By run id: after a continue-as-new its successor would answer
 * to the workflow id. Bounded: if no worker answers, the activity fails and is retried later.
 */
export function queryOwnRun<Answer>(name: string, argument: unknown): Promise<Answer> {
  return queryRun<Answer>(Context.current().info.workflowExecution?.runId ?? '', name, argument);
}

/** Queries a run of the same chain. */
export function queryRun<Answer>(runId: string, name: string, argument: unknown): Promise<Answer> {
  const { workflowExecution } = Context.current().info;
  if (workflowExecution === undefined) {
    throw ApplicationFailure.nonRetryable('This activity does not belong to a workflow.');
  }
  return queryHistory<Answer>({ id: workflowExecution.workflowId, runId }, name, argument);
}

/** Queries any run. */
export async function queryHistory<Answer>(
  { id, runId }: HistoryRef,
  name: string,
  argument: unknown,
): Promise<Answer> {
  const { client, cancellationSignal } = Context.current();
  let problem = '';
  for (let attempt = 0; attempt < TRIES && !cancellationSignal.aborted; attempt++) {
    try {
      return await client.withDeadline(Date.now() + DEADLINE, () =>
        queryBetweenTasks<Answer>(client, { id, runId }, name, argument),
      );
    } catch (error) {
      problem = messageOf(error);
      await Context.current()
        .sleep(200 * 2 ** attempt)
        .catch(() => undefined);
    }
  }
  const lost = new HoldfastError('RunLost', { problem });
  throw ApplicationFailure.create({ type: lost.type, message: lost.message, details: [lost.data] });
}
