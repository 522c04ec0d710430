import { Context } from '@temporalio/activity';
import type { ModelConfig } from '../../agent/model/config';
import type { Message } from '../../agent/model/message';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/calls/model-call';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import { formatTraceparent } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { type ModelAttempt, modelPlace, modelSpanRecord } from '../../runtime/telemetry/model-span-record';
import { spanError, tracingOf } from '../activity-trace';
import { ModelCallStopped } from './answer/stream-answer';
import { partialOf } from './partial-answer';

interface TracedCall {
  call: CallModelInput;
  config: ModelConfig | undefined;
  loaded: { manifest: Manifest; context: RunContext; messages: readonly Message[] };
}

/** Makes the span of one attempt at a model call; `work` gets the `traceparent` to send to the model's server. */
export async function traceCall(
  tracing: Tracing | undefined,
  { call, config, loaded }: TracedCall,
  work: (traceparent: string | undefined) => Promise<CallModelResult>,
): Promise<CallModelResult> {
  const { manifest, context, messages } = loaded;
  const traced = tracingOf(tracing, manifest, context);
  if (traced === undefined) return work(context.traceparent);
  const { workflowExecution, activityId: callId, attempt } = Context.current().info;
  const start = Date.now();
  const record = (how: Partial<ModelAttempt>) =>
    traced.tracing.record(
      modelSpanRecord(traced.run, {
        subject: { id: workflowExecution?.workflowId ?? '', agent: manifest.agent },
        call,
        callId,
        attempt,
        config,
        system: context.system,
        tools: manifest.tools,
        messages,
        start,
        end: Date.now(),
        ...how,
      }),
    );
  try {
    const answer = await work(formatTraceparent(modelPlace(traced.run, { callId, attempt })));
    record({ answer });
    return answer;
  } catch (error) {
    const { usage, executionUnits, cost } = partialOf(error) ?? {};
    record({
      error: error instanceof ModelCallStopped ? { type: 'Cancelled', message: error.message } : spanError(error),
      ...defined({ usage, executionUnits, cost }),
    });
    throw error;
  }
}
