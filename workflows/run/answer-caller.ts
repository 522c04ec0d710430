import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  getExternalWorkflowHandle,
} from '@temporalio/workflow';
import { messageOf } from '../../agent/errors/error';
import { ACTIVITY, type SendEventInput } from '../../agent/protocol/activities';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { ServiceEvent } from '../../agent/protocol/event';
import type { RunResult } from '../../agent/protocol/run';
import { traceparentOf } from '../../agent/protocol/trace';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, utf8Bytes } from '../../agent/values/json';
import { shorten } from '../../agent/values/shorten';
import { endOf } from '../state/selectors/phase';
import { reportOf } from '../state/selectors/spent';
import { waitOut } from '../waits/wait';
import type { Run } from './run';
import { BACK_OFF, runActivity } from './scheduling/activity';
import { isWorkflowId, MAX_WORKFLOW_ID } from './workflow-id';

/** Prefix of the `source` of events that runs send. */
const SOURCE = 'holdfast/';

/** Milliseconds during which delivery of the reply to the event that started a run is retried. */
const DELIVERY = 86_400_000;

/** Returns the result of a run. Where an event started the run, the sender of that event gets the completion event. */
export async function reply(run: Run, result: RunResult): Promise<RunResult> {
  // A cancel comes too late here: the run would end a second time.
  await drained(run);
  const { state } = run;
  if (state.initiator === undefined) return result;
  const { data, executionUnits } = result;
  const plain = isJsonObject(data) ? data : { response: data };
  const done = replyEvent(state, `arvo.orc.${state.agent}.done`, { __executionunits: executionUnits, ...plain });
  const { dataschema } = state.initiator;
  // The schema is the one that the sender named: the agent may have another name for it.
  const event: ServiceEvent = dataschema === undefined ? done : { ...done, dataschema };
  await deliver(run, event);
  return { ...result, event };
}

/** Tells the sender of the event that started the run that the run has failed or was cancelled. */
export async function replyFailure(run: Run): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await drained(run);
    const { state } = run;
    if (state.initiator === undefined) return;
    const { reason = 'failed', error } = endOf(state) ?? {};
    const errorName = error?.type ?? (reason === 'cancelled' ? 'Cancelled' : 'RunFailed');
    const data = { errorName, errorMessage: error?.message ?? `The run was ${reason}.`, errorStack: null };
    await deliver(run, replyEvent(state, `sys.arvo.orc.${state.agent}.error`, data));
  });
}

/** An update that was acknowledged must not be lost with the run. */
function drained(run: Run): Promise<void> {
  return waitOut(run, allHandlersFinished);
}

function replyEvent(state: AgentState, type: string, data: Json): ServiceEvent {
  const { id, agent, chainId, initiator, parentSubject, executionUnits, above } = state;
  const traceparent = traceparentOf(state);
  const caller: Partial<ServiceEvent> = initiator ?? {};
  const { id: parentid, source, redirectto, accesscontrol, domain, subject, tracestate } = caller;
  return {
    specversion: '1.0',
    id: `${chainId}/reply`,
    source: `${SOURCE}${agent}/${id}`,
    subject: parentSubject ?? subject ?? id,
    type,
    time: new Date(Date.now()).toISOString(),
    datacontenttype: 'application/json',
    data,
    to: redirectto ?? source ?? '',
    executionunits: executionUnits,
    ...defined({ parentid, accesscontrol, domain, traceparent, tracestate }),
    ...(above === undefined ? {} : { holdfastspent: JSON.stringify(reportOf(state)) }),
  };
}

/** The run that asked: from the data of the event, or its subject where a run sent it. */
function askingRun({ parentSubject, initiator }: AgentState): string | undefined {
  return parentSubject ?? (initiator?.source.startsWith(SOURCE) ? initiator.subject : undefined);
}

/** Sends through the agent's outlet, or without one by a signal to the run that asked, where the event names one. */
async function deliver(run: Run, event: ServiceEvent): Promise<void> {
  const { manifest } = run.state;
  const asking = askingRun(run.state);
  const outlet = manifest?.replies;
  try {
    if (outlet !== undefined) {
      const input: SendEventInput = { outlet, event };
      await runActivity<void>(ACTIVITY.sendEvent, input, {
        retry: BACK_OFF,
        startToCloseTimeout: 60_000,
        scheduleToCloseTimeout: DELIVERY,
        heartbeatTimeout: 10_000,
        summary: shorten(`reply to ${event.to ?? ''}`, 100),
      });
    } else if (asking !== undefined && !isWorkflowId(asking)) {
      const problem = `The id of the run that asked has ${utf8Bytes(asking)} bytes, expected 1 to ${MAX_WORKFLOW_ID}.`;
      run.apply({ type: 'replyFailed', to: shorten(asking, 100), problem });
    } else if (asking !== undefined) {
      await getExternalWorkflowHandle(asking).signal(COMMAND.serviceAnswer, event);
    }
  } catch (error) {
    // The message of the ActivityFailure itself only says that the activity has failed.
    const problem = messageOf(error instanceof ActivityFailure ? (error.cause ?? error) : error);
    run.apply({ type: 'replyFailed', to: outlet ?? asking ?? '', problem: problem.slice(0, 500) });
  }
}
