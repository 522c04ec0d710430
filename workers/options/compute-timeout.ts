/**
 * Milliseconds that a thread may compute for a workflow task without a pause. At the end of the SDK's 5 s, Node 20 ends the
 * whole process ("async hook stack has become corrupted"), with all that it does, and the next worker meets the same task:
 * a machine that is slow for a while loses its workers. The server repeats a task after 10 s anyway, and only code of this
 * package runs in these threads.
 */
const COMPUTE_TIMEOUT = 60_000;

/** The limit of workers and replays. In debug mode there is none: a person may be at a breakpoint. */
export function computeTimeout(
  debugMode = false,
  env: { TEMPORAL_DEBUG?: string } = process.env,
): { isolateExecutionTimeout?: number } {
  return debugMode || env.TEMPORAL_DEBUG ? {} : { isolateExecutionTimeout: COMPUTE_TIMEOUT };
}
