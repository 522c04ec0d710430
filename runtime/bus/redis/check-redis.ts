import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../agent/errors/error';
import type { BusConfig } from '../../config/bus';
import { RedisConnection } from './connection';
import { otherKey } from './entry';

/** Milliseconds that the check may take. */
const CHECK = 5000;

/**
 * Writes into a stream, reads it, and deletes it. Returns what is wrong.
 * @throws HoldfastError `InvalidConfig` if the package for Redis is not installed
 */
export async function checkRedis(config: BusConfig): Promise<string | undefined> {
  let problem: unknown;
  const connection = new RedisConnection(config, {
    onProblem: (error) => {
      problem = error;
    },
  });
  const key = otherKey(config, `check:${randomUUID()}`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(problem ?? new Error(`no answer for ${CHECK / 1000} s`)), CHECK);
  });
  try {
    const check = async () => {
      await connection.ready();
      await connection.run(async (client) => {
        await client.xAdd(key, '*', { check: '1' });
        await client.pExpire(key, CHECK);
        await client.xRead({ key, id: '0' });
        await client.del(key);
      });
    };
    await Promise.race([check(), late]);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
