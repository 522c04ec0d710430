/**
 * Settings of a Temporal dev server that Holdfast starts itself. Without the first four a single run crawls at 50 ms
 * per activity (20 polls a second on its only shard). The next two push a cancel to the worker without waiting for a
 * heartbeat. The last two let more than 10 updates wait at once, but only 2 MB in total: all of them may be accepted in
 * one workflow task, which repeats them, and a run whose task exceeds 4 MB is terminated.
 */
export const DEV_SERVER_ARGS: readonly string[] = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.outboundProcessorMaxPollRPS=2000',
  'history.visibilityProcessorMaxPollRPS=2000',
  'frontend.WorkerCommandsEnabled=true',
  'system.enableCancelActivityWorkerCommand=true',
  'history.maxInFlightUpdates=200',
  'history.maxInFlightUpdatePayloads=2097152',
].flatMap((setting) => ['--dynamic-config-value', setting]);
