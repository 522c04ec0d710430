import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { Budget } from '../../agent/budget/budget';
import { readReport, reportInEvent } from '../../agent/budget/report';
import { HoldfastError } from '../../agent/errors/error';
import { nothingLeftFor } from '../../agent/prompts/budget';
import {
  ANSWER_PROBLEM,
  childEnded,
  childIdTaken,
  childIdTooLong,
  invalidAnswer,
  serviceFailed,
} from '../../agent/prompts/calls/services';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import { checkEvent } from '../../agent/protocol/event';
import type { RunInput, RunResult } from '../../agent/protocol/run';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import { traceparentOf } from '../../agent/protocol/trace';
import type { ServiceAnswer } from '../../agent/state/awaited-service';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, jsonBytes } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import { readable } from '../../agent/values/unreadable';
import { agentReached, LINEAGE_MEMO, lineageOf, writeLineage } from '../run/lineage';
import type { Run } from '../run/run';
import { isWorkflowId, MAX_WORKFLOW_ID } from '../run/workflow-id';
import { toolSummary } from '../view/summaries';
import { endShare, reserveShare } from './child-budget';
import { eventOf, type ServiceCall } from './service-event';

/** A service that runs as a child. */
export type ChildCall = ServiceCall<Extract<ServiceSpec, { kind: 'child' | 'agent' }>>;

export function isChildCall(served: ServiceCall): served is ChildCall {
  return served.service.kind === 'child' || served.service.kind === 'agent';
}

const POLICY = {
  cancel: ParentClosePolicy.REQUEST_CANCEL,
  terminate: ParentClosePolicy.TERMINATE,
  abandon: ParentClosePolicy.ABANDON,
} as const;

/** Runs a service as a child workflow, or another agent as a child run. */
export async function serveChild(run: Run, served: ChildCall): Promise<ServiceAnswer | ToolOutcome> {
  const { call, tool, service, ref } = served;
  const { kind, workflow, taskQueue, parentClosePolicy } = service;
  if (!isWorkflowId(ref)) {
    return errorOutcome('ServiceFailed', childIdTooLong(tool.modelName, MAX_WORKFLOW_ID));
  }
  const share = reserveShare(run, call.toolUseId, service);
  if ('nothing' in share) return errorOutcome('BudgetUsedUp', nothingLeftFor(tool.modelName));
  try {
    const given = argumentOf(run, served, share);
    const room = run.bytes.spend(jsonBytes(given));
    if (room !== undefined) await room;
    const result = await executeChild<(input: unknown) => Promise<Json>>(workflow, {
      workflowId: ref,
      args: [given],
      ...defined({ taskQueue }),
      ...(kind === 'child' && agentReached(service) !== undefined
        ? { memo: { [LINEAGE_MEMO]: writeLineage(run.state) } }
        : {}),
      parentClosePolicy: POLICY[parentClosePolicy],
      // The child is told to cancel and not waited for: its reaction may take forever. In this SDK the type that is
      // named after waiting for the request alone waits for the end of the child.
      cancellationType:
        parentClosePolicy === 'abandon'
          ? ChildWorkflowCancellationType.ABANDON
          : ChildWorkflowCancellationType.TRY_CANCEL,
      staticSummary: toolSummary(tool, run.state.turn, call),
      staticDetails: `Child of \`${run.state.id}\`, its call ${call.toolUseId}`,
    });
    return flat(answerOf(served, readable(result, `the result of \`${tool.modelName}\``)));
  } catch (error) {
    if (!(error instanceof HoldfastError)) endShare(run, call.toolUseId, error);
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    if (error instanceof HoldfastError) {
      // The child completed, but its result is not an event.
      return errorOutcome('InvalidAnswer', invalidAnswer(tool.modelName, error.message));
    }
    return childFailed(tool.modelName, error);
  }
}

function argumentOf({ state }: Run, served: ChildCall, { budget }: { budget?: Budget }): unknown {
  const { call, service, data } = served;
  if (service.kind === 'child') return service.form === 'event' ? eventOf(state, served) : data;
  const { id, agent, owner, metadata } = state;
  const traceparent = traceparentOf(state, call.toolUseId);
  const input: RunInput = {
    input: data,
    metadata,
    version: service.contract.version,
    ...defined({ owner, budget }),
    delegatedBy: { agent, id, toolUseId: call.toolUseId, lineage: lineageOf(state) },
    ...defined({ traceparent }),
  };
  return input;
}

function answerOf({ service }: ChildCall, result: Json): ServiceAnswer {
  if (service.kind === 'agent') {
    // The workflow of an agent returns nothing else.
    const { data, executionUnits } = result as unknown as RunResult;
    return { data, executionUnits, ...defined({ spent: readReport(result) }) };
  }
  if (service.form !== 'event') return { data: result ?? null };
  // An agent that was started by an event returns its answer beside its own result.
  const event = checkEvent(isJsonObject(result) && result.event !== undefined ? result.event : result);
  const { type, data, dataschema, executionunits, holdfastspent } = event;
  return {
    type,
    data,
    ...defined({ dataschema, executionUnits: executionunits, spent: reportInEvent(holdfastspent) }),
  };
}

/** @throws HoldfastError `InvalidEvent` */
function flat(answer: ServiceAnswer): ServiceAnswer {
  if (!isNestedDeeper(answer.data)) return answer;
  throw new HoldfastError('InvalidEvent', { problem: ANSWER_PROBLEM.tooDeep });
}

function childFailed(name: string, error: unknown): ToolOutcome {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  if (isCancellation(cause)) return errorOutcome('ServiceCancelled', childEnded(name, 'cancelled'));
  if (cause instanceof TimeoutFailure) return errorOutcome('ServiceTimedOut', childEnded(name, 'timedOut'));
  if (cause instanceof TerminatedFailure) return errorOutcome('ServiceFailed', childEnded(name, 'terminated'));
  if (cause instanceof WorkflowExecutionAlreadyStartedError) {
    return errorOutcome('ServiceFailed', childIdTaken(name, cause.workflowId));
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const type = cause instanceof ApplicationFailure && cause.type ? `${cause.type}: ` : '';
  return errorOutcome('ServiceFailed', serviceFailed(name, `${type}${message}`.slice(0, 2000)));
}
