import { Context } from '@temporalio/activity';
import type { Ctx, Log } from '../agent/define/context';
import type { Manifest, RunContext } from '../agent/protocol/manifest';
import { defined } from '../agent/values/defined';
import type { Json } from '../agent/values/json';
import { beat } from './heartbeat';

interface CtxParts {
  manifest: Pick<Manifest, 'agent' | 'description'>;
  context: Pick<RunContext, 'owner' | 'metadata' | 'delegatedBy' | 'traceparent'>;
  turn: number;
  log: Log;
  signal?: AbortSignal;
  toolUseId?: string;
  idempotencyKey?: string;
}

/** What a user's function learns about the run that calls it. */
export function makeCtx({ manifest, context, turn, log, signal, toolUseId, idempotencyKey }: CtxParts): Ctx {
  const activity = Context.current();
  return {
    id: activity.info.workflowExecution?.workflowId ?? '',
    turn,
    metadata: context.metadata,
    signal: signal ?? activity.cancellationSignal,
    heartbeat: (details?: Json) => beat(details),
    log,
    headers: defined({ traceparent: context.traceparent }),
    selfInfo: {
      agent: manifest.agent,
      ...defined({ description: manifest.description }),
    },
    ...defined({ delegatedBy: context.delegatedBy, owner: context.owner, toolUseId, idempotencyKey }),
  };
}
