import type { CallProblem } from '../../../agent/model/answer';
import { keyOf } from '../../../agent/protocol/calls/idempotency-key';
import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import type { ApprovalOutcome, BatchCall } from '../../../agent/state/batch';
import type { AgentState } from '../../../agent/state/state';

/** A call of the batch together with its tool. */
export interface ToolCall<Tool extends ToolSpec = ToolSpec> {
  call: BatchCall;
  tool: Tool;
}

/** Whether a call has neither settled nor received the answer of its service. */
export function isOpen({ status, service }: BatchCall): boolean {
  return status === 'open' && service?.status !== 'answered';
}

/** Why a call has no result: it was not run, or it failed. */
export function errorOf(call: BatchCall): ToolOutcome['error'] | CallProblem {
  if (call.status === 'open') return undefined;
  return call.status === 'rejected' ? call.problem : call.outcome.error;
}

export function openCalls(batch: readonly BatchCall[]): BatchCall[] {
  return batch.filter(isOpen);
}

export function callOf({ batch }: Pick<AgentState, 'batch'>, toolUseId: string): BatchCall | undefined {
  return batch.find((call) => call.toolUseId === toolUseId);
}

/** The tool of this name, as the run has pinned it. */
export function toolOf({ manifest }: Pick<AgentState, 'manifest'>, name: string): ToolSpec | undefined {
  return manifest?.tools.find((tool) => tool.name === name);
}

/**
 * The decision of a person on a call, or its expiry; `undefined` where no decision was asked for or it is still open.
 */
export function decisionOn({ approval }: Pick<BatchCall, 'approval'>): ApprovalOutcome | undefined {
  return approval?.status === 'decided' ? approval.decision : undefined;
}

/** The arguments that a call runs with: those of the model, or those that a person edited. */
export function inputOf(call: BatchCall): BatchCall['input'] {
  return decisionOn(call)?.edit?.input ?? call.input;
}

/** SHA-256 of those arguments. */
export function hashOf(call: BatchCall): string {
  return decisionOn(call)?.edit?.hash ?? call.hash;
}

/** Identifies the call together with the arguments that it runs with. */
export function idempotencyKey(state: Pick<AgentState, 'chainId'>, call: BatchCall): string {
  return keyOf(state, { toolUseId: call.toolUseId, hash: hashOf(call) });
}

/** Whether a call of its lane that comes before it has not settled yet. */
export function isHeldBack(batch: readonly BatchCall[], { toolUseId, lane }: BatchCall): boolean {
  if (lane === undefined) return false;
  for (const other of batch) {
    if (other.toolUseId === toolUseId) return false;
    if (other.lane === lane && isOpen(other)) return true;
  }
  return false;
}
