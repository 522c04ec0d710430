import { isIPv4 } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { RequestRefused } from '../failure';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether a server that listens at this host can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * Refuses requests under a name that is none of ours: a page of another site may have its own name resolve to this
 * machine (DNS rebinding).
 * @param hosts names with which it is called, besides those of this machine; any, if it listens elsewhere and has none
 */
export function hostGuard({ host, hosts }: { host: string; hosts: readonly string[] }): MiddlewareHandler {
  const isOpen = !isLoopback(host) && hosts.length === 0;
  const known = new Set([...hosts, host].map((name) => name.toLowerCase()));
  return async (c, next) => {
    const given = (c.req.header('host') ?? '').toLowerCase();
    const name = given.replace(/:\d+$/, '');
    if (!isOpen && !LOOPBACK.test(name) && !known.has(given) && !known.has(name)) {
      throw new RequestRefused(421, 'UnknownHost', 'This server has no such name. Add it to `gateway.hosts`.');
    }
    await next();
  };
}

/**
 * Refuses writes that pages of other origins send, and lets the pages of `origins` read.
 */
export function originGuard(origins: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin === undefined || isOwn(origin, c.req.header('host'))) {
      if (!SAFE.has(c.req.method) && c.req.header('sec-fetch-site') === 'cross-site') throw foreign();
      return next();
    }
    if (!origins.includes(origin)) {
      if (SAFE.has(c.req.method)) return next();
      throw foreign();
    }
    c.header('access-control-allow-origin', origin);
    c.header('vary', 'origin', { append: true });
    c.header('access-control-expose-headers', 'holdfast-run-id, retry-after, x-vercel-ai-ui-message-stream');
    if (c.req.method !== 'OPTIONS') return next();
    c.header('access-control-allow-methods', 'GET, POST, DELETE');
    c.header('access-control-allow-headers', 'authorization, content-type, idempotency-key, last-event-id, user-agent');
    c.header('access-control-max-age', '600');
    return c.body(null, 204);
  };
}

function foreign(): RequestRefused {
  return new RequestRefused(403, 'ForeignOrigin', 'A page of another origin sent this. Add it to `gateway.origins`.');
}

function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}
