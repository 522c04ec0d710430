import type { BatchCall } from '../../agent/state/state';

/** Whether a call has neither settled nor got the answer of its service. */
export function isOpen({ outcome, problem, service }: BatchCall): boolean {
  return outcome === undefined && problem === undefined && service?.answer === undefined;
}

export function openCalls(batch: readonly BatchCall[]): BatchCall[] {
  return batch.filter(isOpen);
}
