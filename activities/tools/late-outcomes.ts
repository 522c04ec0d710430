import { Context } from '@temporalio/activity';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';

/** Milliseconds for the server to accept a result. */
const TELL = 10_000;
/** How many calls have their outcome remembered. */
const KEPT = 1000;

/**
 * Outcomes of calls that blocked their worker for so long that the server considered it dead. The server gives such a
 * call to a worker again, which it would block as well, and ignores the report of the old attempt. So the result is
 * reported by the call's id, and this worker does not run the call again.
 */
export class LateOutcomes {
  readonly #kept = new Map<string, ToolOutcome>();

  constructor(private readonly log: Log) {}

  /** The outcome of an earlier attempt at the call of this activity. */
  find(): ToolOutcome | undefined {
    return this.#kept.get(keyOf());
  }

  /** Remembers an outcome, possibly while the call still runs. */
  keep(outcome: ToolOutcome): void {
    this.#kept.set(keyOf(), outcome);
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(key);
    }
  }

  /** Ends any attempt at the call that is in progress, or waits for a worker. */
  async tell(outcome: ToolOutcome): Promise<void> {
    this.keep(outcome);
    const { client, info } = Context.current();
    const { workflowId, runId } = info.workflowExecution ?? {};
    const { activityId } = info;
    const place = { workflowId: workflowId ?? '', runId: runId ?? '', activityId };
    try {
      // With a signal of its own: requests within an activity are cancelled with it.
      await unlessAborted(client, AbortSignal.timeout(TELL), () => client.activity.complete(place, outcome));
    } catch (error) {
      // Usually because the call has ended in the meantime.
      this.log.debug({ run: workflowId, activityId, problem: messageOf(error) }, 'A late result was not accepted.');
    }
  }
}

function keyOf(): string {
  const { workflowExecution, activityId } = Context.current().info;
  return `${workflowExecution?.runId}/${activityId}`;
}

/** Whether the server has given up on an attempt that has sent no heartbeat for `ms` milliseconds. */
export function isGivenUp(ms: number): boolean {
  const { heartbeatTimeoutMs } = Context.current().info;
  return heartbeatTimeoutMs !== undefined && ms >= heartbeatTimeoutMs;
}

/** Seconds, with one digit after the point. */
export function secondsOf(ms: number): number {
  return Math.round(ms / 100) / 10;
}
