import { ActivityCancellationType } from '@temporalio/workflow';
import { BYTES, START_ATTEMPT } from '../../agent/limits';
import {
  ACTIVITY,
  type BuildContextInput,
  type BuildContextResult,
  type ContextInput,
  type DescribeAgentInput,
  type DescribeAgentResult,
} from '../../agent/protocol/activities';
import { DECISIONS } from '../../agent/protocol/decisions';
import { callerOf } from '../../agent/protocol/trace';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { leaveNewerDecisions } from './carry/newer-decisions';
import { limitRun } from './limits/limit-run';
import type { Run } from './run';
import { UNTIL_IT_DECIDES } from './scheduling/activity';
import { runPatiently } from './scheduling/patient-activity';

/**
 * Pins the agent as the worker knows it now, and its system prompt and first messages. Later deploys change neither.
 */
export async function init(run: Run): Promise<void> {
  const given = contextInput(run);
  const result = await describeAgent(run, given);
  leaveNewerDecisions(result.manifest);
  run.apply({ type: 'described', result });
  limitRun(run);
  // A start costs one activity less where the first one could already build the context.
  run.apply({ type: 'contextBuilt', result: result.built ?? (await buildContext(run, given, result)) });
}

function contextInput({ state }: Run): ContextInput {
  const { input, owner, metadata, delegatedBy, chainId } = state;
  const traceparent = callerOf(state);
  return { input, metadata, chainId, ...defined({ owner, delegatedBy, traceparent }) };
}

function describeAgent(run: Run, given: ContextInput): Promise<DescribeAgentResult> {
  const { asksVersion: version, initiator } = run.state;
  const start = jsonBytes(given) <= BYTES.start ? given : undefined;
  const asked: DescribeAgentInput = {
    decisions: DECISIONS,
    ...defined({ version, dataschema: initiator?.dataschema, start }),
  };
  return runPatiently<DescribeAgentResult>(ACTIVITY.describeAgent, asked, {
    retry: UNTIL_IT_DECIDES,
    startToCloseTimeout: START_ATTEMPT,
    heartbeatTimeout: 10_000,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    bytes: run.bytes,
    summary: 'start: pin the agent and its tools',
  });
}

function buildContext(
  run: Run,
  { chainId, ...given }: ContextInput,
  { hash, manifest }: DescribeAgentResult,
): Promise<BuildContextResult> {
  const args: BuildContextInput = { manifest: hash, ...given, ...(manifest.traced === true ? { chainId } : {}) };
  return runPatiently<BuildContextResult>(ACTIVITY.buildContext, args, {
    retry: UNTIL_IT_DECIDES,
    startToCloseTimeout: START_ATTEMPT,
    heartbeatTimeout: manifest.limits.heartbeatTimeout,
    // The activity has no side effects: a cancel need not wait for a function that ignores its signal.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    bytes: run.bytes,
    summary: 'start: check the input, make the first messages',
  });
}
