import type { ContentPart } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { RunSpan, SpanError } from '../../agent/protocol/span';
import type { AwaitedService } from '../../agent/state/awaited-service';
import type { BatchCall } from '../../agent/state/batch';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { callOf, decisionOn, inputOf } from '../state/selectors/calls';
import { waitOf } from '../state/selectors/wait-of';

/**
 * The spans of a call that end with a fact, in the state after it: what a person was asked, what a service
 * did, and calls that were not run. Spans of tools with an activity are made in the activity.
 */
export function callSpans(state: AgentState, fact: Fact): RunSpan[] {
  if (!('toolUseId' in fact)) return [];
  const call = callOf(state, fact.toolUseId);
  if (call === undefined) return [];
  switch (fact.type) {
    case 'approval.decided':
    case 'approval.remembered':
    case 'approval.expired':
      return approvalSpan(call, fact, fact.type === 'approval.remembered');
    case 'tool.result':
    case 'tool.error':
      return [
        // The wait for a decision did not finish: the run was cancelled, for example.
        ...(decisionOn(call) === undefined ? approvalSpan(call, fact, false) : []),
        ...toolSpan(call, fact),
      ];
    default:
      return [];
  }
}

/** Spans of calls that were still open when the run ended. */
export function abandonedSpans({ batch, turn }: AgentState, { time }: { time: number }): RunSpan[] {
  const error = { type: 'ToolCancelled', message: 'The run ended first.' };
  return batch
    .filter(({ status }) => status === 'open')
    .flatMap((call) => {
      const end = { turn, time, error };
      return waitOf(call)?.for === 'approval' ? approvalSpan(call, end, false) : toolSpan(call, end);
    });
}

interface CallEnd {
  turn: number;
  time: number;
  error?: SpanError;
  content?: ContentPart[];
}

function approvalSpan(call: BatchCall, end: CallEnd, remembered: boolean): RunSpan[] {
  const { toolUseId, name, input, approval } = call;
  if (approval === undefined) return [];
  const { decision = 'none', by, comment } = decisionOn(call) ?? {};
  return [
    {
      kind: 'GUARDRAIL',
      start: approval.requestedAt,
      end: end.time,
      turn: end.turn,
      toolUseId,
      name,
      decision,
      input,
      ...(remembered ? { remembered: true } : {}),
      ...defined({ by, comment }),
    },
  ];
}

function toolSpan(call: BatchCall, end: CallEnd): RunSpan[] {
  const { toolUseId, name, service } = call;
  if (service === undefined && call.status !== 'rejected') return [];
  const answered = service?.status === 'answered' ? service : undefined;
  return [
    {
      kind: 'TOOL',
      start: service?.since ?? end.time,
      end: answered?.answeredAt ?? end.time,
      turn: end.turn,
      toolUseId,
      name,
      input: inputOf(call),
      ...defined({ service: service && spanOf(service), output: end.content, error: end.error }),
    },
  ];
}

function spanOf(service: AwaitedService): Extract<RunSpan, { kind: 'TOOL' }>['service'] {
  const units = service.status === 'answered' ? service.answer.executionUnits : undefined;
  return { kind: service.kind, ref: service.ref, ...defined({ executionUnits: units }) };
}
