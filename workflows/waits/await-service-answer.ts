import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { unreachable } from '../../agent/prompts/calls/services';
import { ACTIVITY, type SendEventInput } from '../../agent/protocol/activities';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { ServiceAnswer } from '../../agent/state/awaited-service';
import { jsonBytes } from '../../agent/values/json';
import { eventOf, type ServiceCall } from '../calls/service-event';
import type { Run } from '../run/run';
import { BACK_OFF, runActivity } from '../run/scheduling/activity';
import { toolSummary } from '../view/summaries';
import { beside, wait } from './wait';

/** Milliseconds during which an outlet is retried where the service itself has no time limit: a day. */
const SENDING = 86_400_000;

/**
 * Sends the event, where the service has an outlet, and waits for a signal with the answer. `isSent`: it was sent in an
 * earlier history.
 */
export async function awaitAnswer(
  run: Run,
  served: ServiceCall,
  isSent: boolean,
): Promise<ServiceAnswer | ToolOutcome> {
  const answer = () => {
    const asked = run.call(served.call.toolUseId)?.service;
    return asked?.status === 'answered' ? asked.answer : undefined;
  };
  const { service } = served;
  const sending = service.kind === 'event' && !isSent ? send(run, served, service) : undefined;
  // The acknowledgement may have been lost: the answer still counts.
  await wait(run, () => answer() !== undefined || sending?.failed !== undefined);
  const given = answer();
  // Without an answer the wait ends only where the event could not be sent.
  if (given === undefined) return sending?.failed as ToolOutcome;
  if (sending?.over === false) stopSending(sending);
  return given;
}

type EventService = Extract<ServiceSpec, { kind: 'event' }>;

/** An event that is being sent to an outlet. */
interface Sending {
  scope: CancellationScope;
  /** The event was sent, or could not be sent. */
  over: boolean;
  ended: Promise<void>;
  failed?: ToolOutcome;
}

function send(run: Run, served: ServiceCall, { outlet, timeout }: EventService): Sending {
  const { call, tool } = served;
  const input: SendEventInput = { outlet, event: eventOf(run.state, served) };
  const scope = new CancellationScope();
  // The wait goes on meanwhile, and the answer may come first.
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
  const what = `${call.toolUseId}/send`;
  run.inFlight.add(what);
  const end = () => {
    sending.over = true;
    run.inFlight.delete(what);
  };
  sending.ended = sent.then(end, (error: unknown) => {
    end();
    if (isCancellation(error)) return;
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const problem = cause instanceof Error ? cause.message : String(cause);
    sending.failed = errorOutcome('OutletFailed', unreachable(tool.modelName, problem));
  });
  return sending;
}

/** Milliseconds that a send has to end by itself after the answer has arrived. */
const GRACE = 10_000;

/**
 * Stops a send that still runs some time after the answer. It does not cancel at once, since the acknowledgement may
 * arrive together with the answer: the test server never ends a workflow task that cancels an activity which has just
 * completed. A send that still fails then need not be retried.
 */
function stopSending({ scope, ended }: Sending): void {
  const clock = new CancellationScope();
  const late = clock.run(() => sleep(GRACE, { summary: 'the answer has arrived: stop sending' }));
  late.then(
    () => scope.cancel(),
    () => undefined,
  );
  void ended.then(() => clock.cancel());
}
