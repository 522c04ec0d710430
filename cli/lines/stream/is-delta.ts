import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';

export function isDelta(event: Fact | StreamDelta): event is StreamDelta {
  return 'callId' in event;
}
