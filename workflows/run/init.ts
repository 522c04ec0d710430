import { ActivityCancellationType } from '@temporalio/workflow';
import { START_ATTEMPT } from '../../agent/limits';
import {
  ACTIVITY,
  type BuildContextInput,
  type BuildContextResult,
  type DescribeAgentInput,
  type DescribeAgentResult,
} from '../../agent/protocol/activities';
import { callerOf } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { limitRun } from './limits/limit-run';
import type { Run } from './run';
import { UNTIL_IT_DECIDES } from './scheduling/activity';
import { runPatiently } from './scheduling/patient-activity';

/**
 * Pins the agent as the worker knows it now, and then its system prompt and first messages. Later deploys change
 * neither.
 */
export async function init(run: Run): Promise<void> {
  const { asksVersion: version, initiator } = run.state;
  const asked: DescribeAgentInput = defined({ version, dataschema: initiator?.dataschema });
  const result = await runPatiently<DescribeAgentResult>(ACTIVITY.describeAgent, asked, {
    retry: UNTIL_IT_DECIDES,
    startToCloseTimeout: START_ATTEMPT,
    heartbeatTimeout: 10_000,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    bytes: run.bytes,
    summary: 'start: pin the agent and its tools',
  });
  run.apply({ type: 'described', result });
  limitRun(run);

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
      // The activity has no side effects: a cancel need not wait for a function that ignores its signal.
      cancellationType: ActivityCancellationType.TRY_CANCEL,
      bytes: run.bytes,
      summary: 'start: check the input, make the first messages',
    }),
  });
}
