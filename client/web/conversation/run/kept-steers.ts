import type { When } from '../../api/runs';

/** A message to an agent that works. */
export interface SteerMessage {
  id: string;
  text: string;
  when: When;
}

const keyOf = (run: string) => `holdfast-steers ${run}`;

/** Messages that the model may not have read yet, from before a reload of this tab: the run names them only when it has. */
export function keptSteers(run: string): SteerMessage[] {
  return JSON.parse(sessionStorage.getItem(keyOf(run)) ?? '[]') as SteerMessage[];
}

export function keepSteers(run: string, steers: readonly SteerMessage[]): void {
  if (steers.length === 0) sessionStorage.removeItem(keyOf(run));
  else sessionStorage.setItem(keyOf(run), JSON.stringify(steers));
}
