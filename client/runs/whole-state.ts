import type { RunState } from '../../agent/state/run-state';

/** The state of a run as a worker tells it: an older one tells no messages that are unread. */
export function wholeState(told: Omit<RunState, 'unread'> & Partial<RunState>): RunState {
  return { unread: [], ...told };
}
