import type { Figure } from '../figure';
import { cancelToAbort } from './cancel-to-abort';
import { decisions } from './decisions';
import { followBytes } from './follow-bytes';
import { longRunDrift } from './long-run-drift';
import { replayTime } from './replay-time';
import { servicesBatch } from './services-batch';
import { startTime } from './start-time';
import { streamDelayRedis } from './stream-delay-redis';
import { streamDelay, streamEvents } from './streaming';
import { throughput, throughputDurable } from './throughput';
import { toolRecall } from './tool-recall';
import { turnBytesGrowth } from './turn/turn-bytes-growth';
import { turnEvents, turnEventsInline } from './turn/turn-events';
import { turnTime, turnTimeDurable, turnTimeInline } from './turn/turn-time';

/** All figures, in the order of their measurement. */
export const FIGURES: readonly Figure[] = [
  turnTime,
  turnTimeInline,
  turnTimeDurable,
  turnEvents,
  turnEventsInline,
  turnBytesGrowth,
  throughput,
  throughputDurable,
  replayTime,
  longRunDrift,
  followBytes,
  streamDelay,
  streamDelayRedis,
  streamEvents,
  cancelToAbort,
  servicesBatch,
  decisions,
  startTime,
  ...toolRecall,
];
