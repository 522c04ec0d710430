import { z } from 'zod';
import { duration, expected, section, text, whole } from './fields';

/** The bus of deltas for workers and readers on several machines: streams of Redis. */
export interface BusConfig {
  /** `redis://host:6379/0`, or `rediss://` with TLS. It may contain user name and password. */
  redis: string;
  /** Replaces that of the URL. */
  username?: string;
  /** Replaces that of the URL. */
  password?: string;
  /** In front of every key. Default `holdfast:`. Each Temporal server that shares a Redis needs one of its own. */
  prefix?: string;
  /** About how many entries the stream of a run keeps, at least 100. Default 10,000. */
  maxLength?: number;
  /** Milliseconds after its last entry in which a stream expires, at least 10,000. Default 600,000. */
  ttl?: number;
}

/** Milliseconds. A reader that reconnects must still find the answer in progress. */
const LEAST_TTL = 10_000;

const redisUrl = z
  .string({ error: (issue) => expected(issue, 'a string') })
  .trim()
  .refine((value) => isRedisUrl(value), { error: 'Expected a URL such as `redis://localhost:6379`' });

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\/[^/]/.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname } = new URL(value);
  return hostname !== '' && /^(\/\d*)?$/.test(pathname);
}

/** The section `bus` of temporal.yaml. */
export const bus = section({
  redis: redisUrl,
  username: text.exactOptional(),
  password: text.exactOptional(),
  prefix: text.exactOptional(),
  maxLength: whole(100).exactOptional(),
  ttl: duration.refine((ms) => ms >= LEAST_TTL, { error: 'Expected at least 10 s' }).exactOptional(),
});
