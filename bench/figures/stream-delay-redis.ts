import { AgentClient } from '../../client/agent-client';
import { openBus } from '../../runtime/bus/open-bus';
import { SILENT_LOG } from '../../runtime/log';
import { RedisServer } from '../../test/kit/redis-server';
import type { Figure } from '../figure';
import { percentile, range, short } from '../pairs';
import { Stage } from '../stage';
import { delays, RATE, RUNS } from './streaming';

/** Readers are in another process than the worker, and have only Redis in common with it, on the same machine. */
export const streamDelayRedis: Figure = {
  name: 'stream_delay_redis',
  what: `p95 ms from the provider's chunk to a reader in another process, through Redis, ${RUNS} runs that stream ${RATE} chunks a second each`,
  unit: 'ms',
  bar: { on: 'value', max: 15 },
  async measure(settings) {
    const redis = await RedisServer.start();
    const bus = { redis: redis.url };
    try {
      const stage = await Stage.open({ ...settings, bus });
      const temporal = { address: stage.server.address, namespace: 'default', taskQueue: '' };
      const reading = openBus({ bus, temporal }, { log: SILENT_LOG });
      try {
        const { streaming, all } = await delays(new AgentClient(stage.client, { bus: reading }), settings);
        const started = short(percentile(all, 0.95));
        return {
          value: percentile(streaming, 0.95),
          note: `${streaming.length} chunks, median ${short(percentile(streaming, 0.5))}, ${range(streaming)}, p95 with the start of the runs ${started}`,
        };
      } finally {
        reading.close();
        await stage.close();
      }
    } finally {
      await redis.close();
    }
  },
};
