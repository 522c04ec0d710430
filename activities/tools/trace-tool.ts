import { Context } from '@temporalio/activity';
import type { RunToolInput, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { Manifest, RunContext, ToolSpec } from '../../agent/protocol/manifest';
import { below, formatTraceparent, SPAN_KEY } from '../../agent/protocol/trace';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { type ToolAttempt, toolSpanRecord } from '../../runtime/telemetry/tool-span-record';
import { spanError, tracingOf } from '../activity-trace';

interface TracedTool {
  call: Pick<RunToolInput, 'turn' | 'toolUseId' | 'input' | 'resume'>;
  manifest: Manifest;
  context: RunContext;
  spec: ToolSpec;
  /** Names the call among the spans. Default: its id, or that of its activity if it resumes with answers. */
  callId?: string;
}

/**
 * Makes the span of one attempt at a tool call; `work` gets the context of the run with the place of that span. If
 * `work` returns nothing, the attempt does not count and no span is made.
 */
export async function traceTool<Outcome extends ToolOutcome | undefined>(
  tracing: Tracing | undefined,
  { call, manifest, context, spec, callId }: TracedTool,
  work: (context: RunContext) => Promise<Outcome>,
): Promise<Outcome> {
  const traced = tracingOf(tracing, manifest, context);
  if (traced === undefined) return work(context);
  const { workflowExecution, activityId, attempt } = Context.current().info;
  // A call that resumes with answers is a separate activity, with its own count of attempts.
  const named = callId ?? (call.resume === undefined ? call.toolUseId : activityId);
  const place = below(traced.run, SPAN_KEY.tool(named, attempt));
  const start = Date.now();
  const record = (how: Partial<ToolAttempt>) =>
    traced.tracing.record(
      toolSpanRecord(traced.run, {
        place,
        subject: { id: workflowExecution?.workflowId ?? '', agent: manifest.agent },
        call,
        name: spec.name,
        attempt,
        server: spec.kind === 'mcp' ? spec.mcp.server : undefined,
        start,
        end: Date.now(),
        ...how,
      }),
    );
  try {
    const told = { ...context, traceparent: formatTraceparent(place) };
    const outcome = await traced.tracing.within(place, () => work(told));
    if (outcome !== undefined) record({ outcome });
    return outcome;
  } catch (error) {
    record({ error: spanError(error) });
    throw error;
  }
}
