import { type GrpcCompressionConfig, NativeConnection } from '@temporalio/worker';
import type { Log } from '../../agent/define/context';
import type { TemporalConfig } from '../config/temporal';
import { connectionOptions, localAddress, orNoServer } from './connection';
import { installTemporalRuntime } from './log';
import type { Reachable } from './reach/tried';

/**
 * A connection for workers. Installs Temporal's Runtime if there is none. A separate file, since a client's process
 * must not load the worker and its native part.
 * @param log takes the log of Temporal's SDK, unless there is a Runtime, which keeps its own
 * @throws HoldfastError `NoServer` after at most 8 s; `ServerRefused` if the server refuses the API key
 */
export async function connectNative(config: Reachable, log?: Log): Promise<NativeConnection> {
  const { temporal } = config;
  return orNoServer(config, () => {
    // Not before: a Runtime ends with its last connection or worker, and without either keeps its process.
    if (log !== undefined) installTemporalRuntime({ log });
    return NativeConnection.connect({ ...connectionOptions(temporal), grpcCompression: compression(temporal) });
  });
}

/**
 * Whether what a worker and its server send each other is compressed. Without a network between them that only costs: with
 * gzip, the SDK's default, fifty concurrent runs took a tenth more time, most of it in the server.
 */
export function compression({ address, compression: given }: TemporalConfig): GrpcCompressionConfig {
  return { codec: given ?? (localAddress(address) === undefined ? 'gzip' : 'none') };
}
