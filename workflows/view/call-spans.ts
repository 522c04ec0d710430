import type { ContentPart } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/fact';
import type { RunSpan, SpanError } from '../../agent/protocol/span';
import type { AgentState, BatchCall } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';

/**
 * The spans of a call that end with a fact, in the state after it: what a person was asked, what a service did, and calls
 * that were not run at all. Those of tools that have an activity are made there.
 */
export function callSpans(state: AgentState, fact: Fact): RunSpan[] {
  if (!('toolUseId' in fact)) return [];
  const call = state.batch.find(({ toolUseId }) => toolUseId === fact.toolUseId);
  if (call === undefined) return [];
  switch (fact.type) {
    case 'approval.decided':
    case 'approval.remembered':
    case 'approval.expired':
      return approvalSpan(call, fact, fact.type === 'approval.remembered');
    case 'tool.result':
    case 'tool.error':
      return [
        // Nobody was waited for to the end: the run was cancelled, say.
        ...(call.approval?.decision === undefined ? approvalSpan(call, fact, false) : []),
        ...toolSpan(call, fact),
      ];
    default:
      return [];
  }
}

/** Of calls that were still waited for when the run ended. */
export function abandonedSpans({ batch, turn }: AgentState, { time }: { time: number }): RunSpan[] {
  const error = { type: 'ToolCancelled', message: 'The run ended first.' };
  return batch
    .filter(({ status }) => status === 'open')
    .flatMap((call) => {
      const end = { turn, time, error };
      return call.approval !== undefined && call.approval.decision === undefined
        ? approvalSpan(call, end, false)
        : toolSpan(call, end);
    });
}

interface CallEnd {
  turn: number;
  time: number;
  error?: SpanError;
  content?: ContentPart[];
}

function approvalSpan({ toolUseId, name, input, approval }: BatchCall, end: CallEnd, remembered: boolean): RunSpan[] {
  if (approval === undefined) return [];
  const { decision = 'none', by, comment } = approval.decision ?? {};
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

function toolSpan({ toolUseId, name, input, service, status, approval }: BatchCall, end: CallEnd): RunSpan[] {
  if (service === undefined && status !== 'rejected') return [];
  const { answer, answeredAt = end.time, kind, ref, since = end.time } = service ?? {};
  const units = answer?.executionUnits;
  return [
    {
      kind: 'TOOL',
      start: since,
      end: answeredAt,
      turn: end.turn,
      toolUseId,
      name,
      input: approval?.decision?.edit?.input ?? input,
      ...(kind === undefined || ref === undefined
        ? {}
        : { service: { kind, ref, ...defined({ executionUnits: units }) } }),
      ...defined({ output: end.content, error: end.error }),
    },
  ];
}
