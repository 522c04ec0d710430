import { IllegalStateError, type Logger, type LogLevel, type LogMetadata } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { QUERY_AGAIN } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';

export interface TemporalRuntimeOptions {
  log: Log;
  /**
   * Signals on which Temporal shuts the workers of this process down by itself. Default SIGINT, SIGTERM, SIGQUIT and
   * SIGUSR2; pass none if the process handles them.
   */
  shutdownSignals?: NodeJS.Signals[];
}

/**
 * Sends the log of Temporal's SDK, including its native part, to `log`. Must run before the first worker or native
 * connection of the process, since there is one Temporal Runtime per process; an existing one is left unchanged.
 * @returns whether this call installed it
 */
export function installTemporalRuntime({ log, shutdownSignals }: TemporalRuntimeOptions): boolean {
  try {
    Runtime.install({
      logger: temporalLogger(log),
      telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
      ...defined({ shutdownSignals }),
    });
    return true;
  } catch (error) {
    if (error instanceof IllegalStateError) return false;
    throw error;
  }
}

/** `log` in the form that Temporal expects. The SDK's own progress reports become debug lines. */
export function temporalLogger(log: Log): Logger {
  const write = (level: LogLevel, text: string, meta: LogMetadata = {}) => {
    const chatter = meta.sdkComponent === 'worker' || meta.sdkComponent === 'core';
    const fields = shorten(meta);
    if (isIntended(text, meta)) log.debug(fields, text);
    else if (level === 'ERROR') log.error(fields, text);
    else if (level === 'WARN') log.warn(fields, text);
    else if (level === 'INFO' && !chatter) log.info(fields, text);
    else log.debug(fields, text);
  };
  return {
    log: write,
    trace: (text, meta) => write('TRACE', text, meta),
    debug: (text, meta) => write('DEBUG', text, meta),
    info: (text, meta) => write('INFO', text, meta),
    warn: (text, meta) => write('WARN', text, meta),
    error: (text, meta) => write('ERROR', text, meta),
  };
}

/** The worker of remembered decisions has workflows only, and a query that came too early is repeated by the client. */
function isIntended(text: string, { taskQueue, error, failure }: LogMetadata): boolean {
  const lacksActivities = taskQueue === APPROVALS.taskQueue && text.startsWith('No activities registered');
  // The SDK reports the error, and its core the answer to the query.
  const isEarly = (error !== undefined && messageOf(error) === QUERY_AGAIN) || String(failure).includes(QUERY_AGAIN);
  return lacksActivities || isEarly;
}

/** Leaves out fields that only Temporal understands, and adds the text of an error, which JSON would leave out. */
function shorten({
  error,
  taskToken: _token,
  isLocal: _local,
  sdkComponent: _component,
  ...rest
}: LogMetadata): object {
  return error === undefined ? rest : { problem: messageOf(error), ...rest };
}
