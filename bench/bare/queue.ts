/** Task queue of the bare loop. */
export const BARE_QUEUE = 'bench-bare';
