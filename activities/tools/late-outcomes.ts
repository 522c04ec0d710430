import { Context } from '@temporalio/activity';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { ToolOutcome } from '../../agent/protocol/tool-call';

/** Milliseconds in which the server takes a result. */
const TELL = 10_000;
/** Calls of which it is remembered how they ended. */
const KEPT = 1000;

/**
 * What became of calls that blocked their worker for so long that the server took it for dead. The server gives such a call
 * again, to a worker that it would block as well, and takes no notice of what the attempt reports: so it is told by the
 * call's id, and this worker does not run it again.
 */
export class LateOutcomes {
  readonly #kept = new Map<string, ToolOutcome>();

  constructor(private readonly log: Log) {}

  /** Of an earlier attempt at the call of this activity. */
  find(): ToolOutcome | undefined {
    return this.#kept.get(keyOf());
  }

  /** Known already while the call still goes on. */
  keep(outcome: ToolOutcome): void {
    this.#kept.set(keyOf(), outcome);
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(key);
    }
  }

  /** Ends whatever attempt at the call is in progress, or waits for a worker. */
  async tell(outcome: ToolOutcome): Promise<void> {
    this.keep(outcome);
    const { client, info } = Context.current();
    const { workflowId, runId } = info.workflowExecution ?? {};
    const { activityId } = info;
    const place = { workflowId: workflowId ?? '', runId: runId ?? '', activityId };
    try {
      // Of its own: what is asked for in an activity is given up with it.
      await client.withAbortSignal(AbortSignal.timeout(TELL), () => client.activity.complete(place, outcome));
    } catch (error) {
      // Mostly since it has ended in the meantime.
      this.log.debug({ run: workflowId, activityId, problem: messageOf(error) }, 'A late result was not taken.');
    }
  }
}

function keyOf(): string {
  const { workflowExecution, activityId } = Context.current().info;
  return `${workflowExecution?.runId}/${activityId}`;
}

/** Whether the server has given up an attempt that has sent no heartbeat for so many milliseconds. */
export function isGivenUp(ms: number): boolean {
  const { heartbeatTimeoutMs } = Context.current().info;
  return heartbeatTimeoutMs !== undefined && ms >= heartbeatTimeoutMs;
}

export function blockedText(ms: number): string {
  return `it blocked its worker for ${Math.round(ms / 100) / 10} s, in which nothing else could run there.`;
}
