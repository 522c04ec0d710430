import type { Outage, RunEnd } from '../../../agent/state/phase';
import type { AgentState } from '../../../agent/state/state';

type Placed = Pick<AgentState, 'phase'>;

/** How the run ended; `undefined` while it runs. */
export function endOf({ phase }: Placed): RunEnd | undefined {
  if (phase.at !== 'ended') return undefined;
  const { at: _, ...end } = phase;
  return end;
}

/** The outage of the model in use; `undefined` where it answers. */
export function outageOf({ phase }: Placed): Outage | undefined {
  if (phase.at !== 'outage') return undefined;
  const { at: _, ...outage } = phase;
  return outage;
}

/** When the model that does not answer is asked again; `undefined` where the run does not wait for that. */
export function retryAt({ phase }: Placed): number | undefined {
  return phase.at === 'outage' ? phase.nextAt : undefined;
}

/** Whether the run knows its agent and its system prompt, or never will. Before that it takes no messages. */
export function isDescribed({ phase }: Placed): boolean {
  return phase.at !== 'starting';
}
