import { Context } from '@temporalio/activity';
import type { ModelRequest } from '../../agent/model/adapter';
import type { ModelAnswer } from '../../agent/model/answer';
import type { ModelConfig } from '../../agent/model/config';
import type { Message } from '../../agent/model/message';
import type { CallModelInput } from '../../agent/protocol/calls/model-call';
import type { Manifest, RunContext, ToolSpec } from '../../agent/protocol/manifest';
import { formatTraceparent } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { type ModelAttempt, modelPlace, modelSpanRecord } from '../../runtime/telemetry/model-span-record';
import { spanError, tracingOf } from '../activity-trace';
import { ModelCallStopped } from './answer/stream-answer';
import { TermsRefused } from './output/refusals';
import { partialOf } from './partial-answer';

export interface TracedCall {
  call: Pick<CallModelInput, 'turn' | 'model' | 'toolChoice' | 'uncalled'>;
  /** Number of the request within the attempt: each has a span. */
  request: number;
  config: ModelConfig | undefined;
  loaded: {
    manifest: Manifest;
    context: RunContext;
    messages: readonly Message[];
    /** The tools of the call. Default: those of the manifest. */
    offered?: readonly ToolSpec[];
  };
}

/**
 * Makes the span of one request of a model call.
 * @param work gets the `traceparent` to send to the model's server, and tells what it requests
 */
export async function traceCall<Answer extends ModelAnswer>(
  tracing: Tracing | undefined,
  { call, request, config, loaded }: TracedCall,
  work: (traceparent: string | undefined, onRequest: (sent: Pick<ModelRequest, 'system'>) => void) => Promise<Answer>,
): Promise<Answer> {
  const { manifest, context, messages, offered = manifest.tools } = loaded;
  const traced = tracingOf(tracing, manifest, context);
  if (traced === undefined) return work(context.traceparent, () => {});
  const { workflowExecution, activityId: callId, attempt } = Context.current().info;
  const start = Date.now();
  let { system } = context;
  const record = (how: Partial<ModelAttempt>) =>
    traced.tracing.record(
      modelSpanRecord(traced.run, {
        subject: { id: workflowExecution?.workflowId ?? '', agent: manifest.agent },
        call,
        callId,
        attempt,
        request,
        config,
        system,
        tools: offered,
        messages,
        start,
        end: Date.now(),
        ...how,
      }),
    );
  try {
    const answer = await work(formatTraceparent(modelPlace(traced.run, { callId, attempt, request })), (sent) => {
      // It may describe the output, too.
      system = sent.system;
    });
    record({ answer });
    return answer;
  } catch (thrown) {
    const error = thrown instanceof TermsRefused ? thrown.failure : thrown;
    const { model, usage, executionUnits, cost } = partialOf(error) ?? {};
    record({
      error: error instanceof ModelCallStopped ? { type: 'Cancelled', message: error.message } : spanError(error),
      ...defined({ model, usage, executionUnits, cost }),
    });
    throw thrown;
  }
}
