import { NativeConnection } from '@temporalio/worker';
import type { TemporalConfig } from '../config/config';
import { connectionOptions, orNoServer } from './connection';

/**
 * A connection for workers. Installs Temporal's Runtime if there is none. A separate file, since a client's process
 * must not load the worker and its native part.
 * @throws HoldfastError `NoServer` after at most 5 s
 */
export async function connectNative({ temporal }: { temporal: TemporalConfig }): Promise<NativeConnection> {
  return orNoServer(temporal, () => NativeConnection.connect(connectionOptions(temporal)));
}
