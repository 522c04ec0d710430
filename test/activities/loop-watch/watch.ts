import { LoopWatch } from '../../../activities/loop-watch';
import { SILENT_LOG } from '../../../runtime/log';

/** Watches what a test runs, without reporting. */
export const WATCH = new LoopWatch(SILENT_LOG, { told: false }).start();
