import type { Log } from '../../agent/define/context';
import type { StreamBus } from '../../agent/protocol/stream';
import type { Config } from '../config/config';
import { createLog } from '../log';
import { createLocalBus } from './bus';
import { RedisPublisher } from './redis/publisher';
import { RedisReader } from './redis/reader';
import { localStream } from './socket-bus-reader';
import { serveBus } from './socket-bus-worker';

type BusOf = Pick<Config, 'bus' | 'temporal'>;

/** A bus for readers. */
export interface OpenBus extends StreamBus {
  /** Closes its connections. */
  close(): void;
}

/** A bus for a worker. */
export interface WorkerBus {
  bus: StreamBus;
  /** Lets other processes read it, until the returned function is called. Never fails. */
  serve(): Promise<() => Promise<void>>;
}

/**
 * The bus that a configuration names, for readers: Redis, or the workers of this user on this machine. Connections are
 * open only while there are subscribers, and for a while after the last one.
 * @throws HoldfastError `InvalidConfig` if the package for Redis is not installed
 */
export function openBus({ bus, temporal }: BusOf, { log = createLog() }: { log?: Log } = {}): OpenBus {
  if (bus !== undefined) return new RedisReader(bus, temporal.namespace, log);
  const local = localStream(temporal, { log });
  return { publish: local.publish, subscribe: local.subscribe, close: () => undefined };
}

/**
 * The same for the worker. Readers in its process and of this user on this machine get its deltas also with Redis.
 * @throws HoldfastError `InvalidConfig` if the package for Redis is not installed
 */
export function openWorkerBus({ bus, temporal }: BusOf, log: Log): WorkerBus {
  const local = createLocalBus({ log });
  const redis = bus === undefined ? undefined : new RedisPublisher(bus, temporal.namespace, log);
  const publish: StreamBus['publish'] = (delta) => {
    local.publish(delta);
    redis?.publish(delta);
  };
  return {
    bus: { publish, subscribe: local.subscribe },
    async serve() {
      redis?.open();
      const close = await serveBus(local, temporal, { log });
      return async () => {
        await Promise.all([close(), redis?.close()]);
      };
    },
  };
}
