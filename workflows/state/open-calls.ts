import type { AwaitingCall } from '../../agent/state/state';

/** Whether a call has neither settled nor got the answer of its service. */
export function isOpen({ outcome, problem, service }: AwaitingCall): boolean {
  return outcome === undefined && problem === undefined && service?.answer === undefined;
}

export function openCalls(awaiting: readonly AwaitingCall[]): AwaitingCall[] {
  return awaiting.filter(isOpen);
}
