import { allHandlersFinished, CancellationScope, condition, getExternalWorkflowHandle } from '@temporalio/workflow';
import { ACTIVITY, MESSAGE, type SendEventInput } from '../agent/activities';
import { messageOf } from '../agent/error';
import type { ServiceEvent } from '../agent/event';
import { isJsonObject, type Json } from '../agent/json';
import type { AgentState, RunResult } from '../agent/state';
import { traceparentOf } from '../agent/trace';
import { BACK_OFF, runActivity } from './activity';
import type { Run } from './run';

/** Milliseconds during which the answer to the event that started a run is tried to be handed over. */
const DELIVERY = 86_400_000;

/** The result of a run; where an event started it, its sender gets the completion event. */
export async function reply(run: Run, result: RunResult): Promise<RunResult> {
  await drained();
  const { state } = run;
  if (state.initiator === undefined) return result;
  const { data, executionUnits } = result;
  const plain = isJsonObject(data) ? data : { response: data };
  const event = replyEvent(state, `arvo.orc.${state.agent}.done`, { __executionunits: executionUnits, ...plain });
  await deliver(run, event);
  return { ...result, event };
}

/** Tells the sender of the event that started a run that it has failed, or was cancelled. */
export async function replyFailure(run: Run): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await drained();
    const { state } = run;
    if (state.initiator === undefined) return;
    const { reason = 'failed', error } = state.end ?? {};
    const errorName = error?.type ?? (reason === 'cancelled' ? 'Cancelled' : 'RunFailed');
    const data = { errorName, errorMessage: error?.message ?? `The run was ${reason}.`, errorStack: null };
    await deliver(run, replyEvent(state, `sys.arvo.orc.${state.agent}.error`, data));
  });
}

/** An update that was acknowledged must not be lost with the run. */
async function drained(): Promise<void> {
  if (!allHandlersFinished()) await condition(allHandlersFinished);
}

function replyEvent(state: AgentState, type: string, data: Json): ServiceEvent {
  const { id, agent, firstRunId, initiator, parentSubject, executionUnits } = state;
  const traceparent = traceparentOf(state);
  const {
    id: parentid,
    source,
    redirectto,
    accesscontrol,
    domain,
    subject,
  } = initiator ?? ({} as Partial<ServiceEvent>);
  return {
    specversion: '1.0',
    id: `${firstRunId}/reply`,
    source: `holdfast/${agent}/${id}`,
    subject: parentSubject ?? subject ?? id,
    type,
    time: new Date(Date.now()).toISOString(),
    datacontenttype: 'application/json',
    data,
    to: redirectto ?? source ?? '',
    executionunits: executionUnits,
    ...(parentid === undefined ? {} : { parentid }),
    ...(accesscontrol === undefined ? {} : { accesscontrol }),
    ...(domain === undefined ? {} : { domain }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/** Through the agent's outlet; without one by a signal to the run that asked, where the event names one. */
async function deliver(run: Run, event: ServiceEvent): Promise<void> {
  const { manifest, parentSubject } = run.state;
  const outlet = manifest?.replies;
  try {
    if (outlet !== undefined) {
      const input: SendEventInput = { outlet, event };
      await runActivity<void>(ACTIVITY.sendEvent, input, {
        retry: BACK_OFF,
        startToCloseTimeout: 60_000,
        scheduleToCloseTimeout: DELIVERY,
        heartbeatTimeout: 10_000,
        summary: `reply to ${event.to ?? ''}`.slice(0, 100),
      });
    } else if (parentSubject !== undefined) {
      await getExternalWorkflowHandle(parentSubject).signal(MESSAGE.serviceAnswer, event);
    }
  } catch (error) {
    run.apply({ type: 'replyFailed', to: outlet ?? parentSubject ?? '', problem: messageOf(error).slice(0, 500) });
  }
}
