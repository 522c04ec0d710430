import { Context } from '@temporalio/activity';
import type { Ctx, Log } from '../agent/context';
import type { Json } from '../agent/json';
import type { RunContext } from '../agent/manifest';
import { beat } from './heartbeat';

interface CtxParts {
  context: Pick<RunContext, 'owner' | 'metadata'>;
  turn: number;
  log: Log;
  signal?: AbortSignal;
  toolUseId?: string;
  idempotencyKey?: string;
}

/** What a user's function gets to know about the run that calls it. */
export function makeCtx({ context, turn, log, signal, toolUseId, idempotencyKey }: CtxParts): Ctx {
  const activity = Context.current();
  return {
    id: activity.info.workflowExecution?.workflowId ?? '',
    turn,
    metadata: context.metadata,
    signal: signal ?? activity.cancellationSignal,
    heartbeat: (details?: Json) => beat(details),
    log,
    headers: {},
    ...(context.owner === undefined ? {} : { owner: context.owner }),
    ...(toolUseId === undefined ? {} : { toolUseId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
