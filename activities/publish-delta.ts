import type { StreamSubject } from '../agent/define/agent-definition';
import type { StreamBus, StreamDelta } from '../agent/protocol/stream';

/** Where deltas go: to the readers of the run, and to the agent's own listener. */
export interface DeltaSinks {
  bus: StreamBus;
  /** Calls the agent's `onStream`, if it has one. Never throws and never waits. */
  listener?: ((event: StreamDelta, about: StreamSubject) => void) | undefined;
}

/** Publishes a delta of a run. */
export function publish(
  { bus, listener }: DeltaSinks,
  delta: StreamDelta,
  about: Omit<StreamSubject, 'subject'>,
): void {
  bus.publish(delta);
  listener?.(delta, { subject: delta.id, ...about });
}
