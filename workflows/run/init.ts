import { ActivityCancellationType, ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { HoldfastError } from '../../agent/errors/error';
import { START_ATTEMPT } from '../../agent/limits';
import {
  ACTIVITY,
  type BuildContextInput,
  type BuildContextResult,
  type DescribeAgentResult,
} from '../../agent/protocol/activities';
import { callerOf } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { UNTIL_IT_DECIDES } from './activity';
import { runPatiently } from './patient-activity';
import type { Run } from './run';
import { failureOf } from './run';

/** Pins the agent as the worker knows it now, then its system prompt and first messages: later deploys change neither. */
export async function init(run: Run): Promise<void> {
  const result = await runPatiently<DescribeAgentResult>(ACTIVITY.describeAgent, undefined, {
    retry: UNTIL_IT_DECIDES,
    startToCloseTimeout: START_ATTEMPT,
    heartbeatTimeout: 10_000,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    bytes: run.bytes,
    summary: 'start: pin the agent and its tools',
  });
  run.apply({ type: 'described', result });

  const { input, owner, metadata, delegatedBy, chainId } = run.state;
  const traceparent = callerOf(run.state);
  const args: BuildContextInput = {
    manifest: result.hash,
    input,
    metadata,
    ...defined({ owner, delegatedBy, traceparent }),
    ...(result.manifest.traced === true ? { chainId } : {}),
  };
  run.apply({
    type: 'contextBuilt',
    result: await runPatiently<BuildContextResult>(ACTIVITY.buildContext, args, {
      retry: UNTIL_IT_DECIDES,
      startToCloseTimeout: START_ATTEMPT,
      heartbeatTimeout: result.manifest.limits.heartbeatTimeout,
      // It changes nothing: a cancel need not wait for a function that does not look at its signal.
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      bytes: run.bytes,
      summary: 'start: check the input, make the first messages',
    }),
  });
}

/**
 * The failure that a run ends with when an activity has failed for good: an error of ours keeps its type, its text and
 * its data; whatever else happened is told in one line.
 */
export function endingOf(error: unknown, id: string): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof HoldfastError) return failureOf(error);
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type) {
    return ApplicationFailure.nonRetryable(cause.message, cause.type, cause.details?.[0]);
  }
  const what =
    error instanceof ActivityFailure ? `${error.activityType}: ${cause?.message ?? error.message}` : String(error);
  return failureOf(new HoldfastError('RunFailed', { id, problem: what }));
}
