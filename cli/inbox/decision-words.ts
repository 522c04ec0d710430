/** The decision in words. */
export const DECIDED = {
  approve: 'approved',
  deny: 'denied',
  edit: 'approved with other arguments',
  expired: 'expired',
} as const;

/** How long the decision holds, as the end of a sentence. */
export const LASTS = {
  once: '',
  run: ', for the rest of the run',
  agent: ', for all runs of the agent with the same owner',
} as const;
