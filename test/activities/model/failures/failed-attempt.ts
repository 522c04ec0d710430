import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { CALL_BUDGET, failureOf } from '../../../../activities/model/call-budget';
import { CallRecord } from '../../../../activities/model/call-record';
import type { TellRun } from '../../../../activities/model/usage/tell-run';
import type { ModelHeartbeat } from '../../../../agent/protocol/calls/model-call';

interface Given {
  /** What the attempts before it have passed on. */
  before?: ModelHeartbeat | undefined;
  budget?: number;
  tellRun?: TellRun;
}

/** The failure of one attempt that ended at once with an error, and what it passes on. */
export async function failedAttempt(error: unknown, { before, budget = CALL_BUDGET, tellRun }: Given) {
  let passed: ModelHeartbeat | undefined;
  const env = new MockActivityEnvironment(
    { attempt: (before?.failures ?? 0) + 1, startToCloseTimeoutMs: 600_000, heartbeatDetails: before },
    { logger: new DefaultLogger('ERROR') },
  );
  env.on('heartbeat', (details: ModelHeartbeat) => {
    passed = details;
  });
  const failure: ApplicationFailure = await env.run(async () => {
    const { signal } = new AbortController();
    const attempt = { began: Date.now(), now: Date.now, record: new CallRecord(), signal, tellRun };
    return (await failureOf(error, attempt, budget)) as ApplicationFailure;
  });
  return { failure, passed };
}
