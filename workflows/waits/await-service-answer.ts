import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { ACTIVITY, type SendEventInput } from '../../agent/protocol/activities';
import type { ServiceSpec } from '../../agent/protocol/manifest';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
import type { ServiceAnswer } from '../../agent/state/state';
import { jsonBytes } from '../../agent/values/json';
import { eventOf, type ServiceCall } from '../calls/service-event';
import type { Run } from '../run/run';
import { BACK_OFF, runActivity } from '../run/scheduling/activity';
import { toolSummary } from '../view/summaries';
import { beside, wait } from './wait';

/** Milliseconds during which an outlet is tried again where the service itself has no time limit: a day. */
const SENDING = 86_400_000;

/** Sends the event, where the service has an outlet, and waits until a signal brings the answer. */
export async function awaitAnswer(run: Run, served: ServiceCall): Promise<ServiceAnswer | { outcome: ToolOutcome }> {
  const answer = () => {
    const asked = run.call(served.call.toolUseId)?.service;
    return asked?.status === 'answered' ? asked.answer : undefined;
  };
  const { service } = served;
  const sending = service.kind === 'event' ? send(run, served, service) : undefined;
  // An acknowledgement may have been lost: the answer counts all the same.
  await wait(run, () => answer() !== undefined || sending?.failed !== undefined);
  const given = answer();
  // Without an answer the wait ends only where the event could not be sent.
  if (given === undefined) return { outcome: sending?.failed as ToolOutcome };
  if (sending?.over === false) stopSending(sending);
  return given;
}

type EventService = Extract<ServiceSpec, { kind: 'event' }>;

/** An event on its way to an outlet. */
interface Sending {
  scope: CancellationScope;
  /** It was sent, or could not be. */
  over: boolean;
  ended: Promise<void>;
  failed?: ToolOutcome;
}

function send(run: Run, served: ServiceCall, { outlet, timeout }: EventService): Sending {
  const { call, tool } = served;
  const input: SendEventInput = { outlet, event: eventOf(run.state, served) };
  const scope = new CancellationScope();
  // The wait goes on, and the answer may come next.
  const sent = scope.run(() =>
    beside(run, async () => {
      const room = run.bytes.spend(jsonBytes(input));
      if (room !== undefined) await room;
      await runActivity<void>(ACTIVITY.sendEvent, input, {
        activityId: call.toolUseId,
        retry: BACK_OFF,
        startToCloseTimeout: tool.timeout,
        scheduleToCloseTimeout: timeout ?? SENDING,
        heartbeatTimeout: 10_000,
        summary: toolSummary(tool, run.state.turn, call),
      });
    }),
  );
  const sending: Sending = { scope, over: false, ended: Promise.resolve() };
  sending.ended = sent.then(
    () => {
      sending.over = true;
    },
    (error: unknown) => {
      sending.over = true;
      if (isCancellation(error)) return;
      const cause = error instanceof ActivityFailure ? error.cause : error;
      const problem = cause instanceof Error ? cause.message : String(cause);
      sending.failed = errorOutcome('OutletFailed', `\`${tool.modelName}\` could not be reached: ${problem}`);
    },
  );
  return sending;
}

/** Milliseconds that a send has to end by itself once the answer is there. */
const GRACE = 10_000;

/**
 * An answer that is as quick as the acknowledgement is no reason to cancel anything: the test server never ends a workflow
 * task that cancels an activity which has just completed. One that still fails then need not be tried again.
 */
function stopSending({ scope, ended }: Sending): void {
  const clock = new CancellationScope();
  const late = clock.run(() => sleep(GRACE, { summary: 'the answer is there: stop sending' }));
  late.then(
    () => scope.cancel(),
    () => undefined,
  );
  void ended.then(() => clock.cancel());
}
