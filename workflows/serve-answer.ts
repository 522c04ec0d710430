import { ActivityFailure, CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { ACTIVITY, type SendEventInput } from '../agent/activities';
import type { ServiceAnswer } from '../agent/state';
import type { ToolOutcome } from '../agent/tool-call';
import { errorOutcome } from '../agent/tool-outcome';
import { BACK_OFF, runActivity } from './activity';
import type { Run } from './run';
import { eventOf, type ServiceCall } from './service-call';
import { toolSummary } from './summaries';

/** Milliseconds during which an outlet is tried again where the service itself has no time limit: a day. */
const SENDING = 86_400_000;

/** Sends the event, where the service has an outlet, and waits until a signal brings the answer. */
export async function awaitAnswer(run: Run, served: ServiceCall): Promise<ServiceAnswer | { outcome: ToolOutcome }> {
  const answer = () => run.call(served.call.toolUseId)?.service?.answer;
  const answered = () => answer() !== undefined;
  if (served.service.way === 'event') {
    const failed = await send(run, served, answered);
    if (failed !== undefined && !answered()) return { outcome: failed };
  }
  await condition(answered);
  return answer() as ServiceAnswer;
}

/** Sends until it is sent, or the answer is there all the same: an acknowledgement may have been lost. */
async function send(run: Run, served: ServiceCall, answered: () => boolean): Promise<ToolOutcome | undefined> {
  const { call, tool, service } = served;
  const input: SendEventInput = { outlet: service.outlet ?? '', event: eventOf(run.state, served) };
  const sending = new CancellationScope();
  const sent = sending
    .run(() =>
      runActivity<void>(ACTIVITY.sendEvent, input, {
        activityId: call.toolUseId,
        retry: BACK_OFF,
        startToCloseTimeout: tool.timeout,
        scheduleToCloseTimeout: service.timeout ?? SENDING,
        heartbeatTimeout: 10_000,
        summary: toolSummary(tool, run.state.turn, call),
      }),
    )
    .then(
      () => undefined,
      (error: unknown) => {
        if (isCancellation(error)) return undefined;
        const cause = error instanceof ActivityFailure ? error.cause : error;
        const problem = cause instanceof Error ? cause.message : String(cause);
        return errorOutcome('OutletFailed', `\`${tool.modelName}\` could not be reached: ${problem}`);
      },
    );
  const result = await Promise.race([sent, condition(answered).then(() => undefined)]);
  if (answered()) stopSending(sending, sent);
  return result;
}

/** Milliseconds that a send has to end by itself once the answer is there. */
const GRACE = 10_000;

/**
 * An answer that is as quick as the acknowledgement is no reason to cancel anything: the test server never ends a workflow
 * task that cancels an activity which has just completed. One that still fails then need not be tried again.
 */
function stopSending(sending: CancellationScope, sent: Promise<unknown>): void {
  const clock = new CancellationScope();
  const late = clock.run(() => sleep(GRACE, { summary: 'the answer is there: stop sending' }));
  late.then(
    () => sending.cancel(),
    () => undefined,
  );
  void sent.then(() => clock.cancel());
}
