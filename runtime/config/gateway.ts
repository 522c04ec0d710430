import { z } from 'zod';
import { contractType } from '../../agent/contracts/contract';
import { secretProblem } from '../webhook-signature';
import { duration, named, section, text, texts, url, whole } from './fields';

const scope = z.enum(['start', 'read', 'message', 'decide', 'admin'], {
  error: 'Expected `start`, `read`, `message`, `decide` or `admin`',
});
const tenant = text.regex(
  /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/,
  'Expected a tenant of up to 63 letters (a-z), digits, dots, underscores and hyphens',
);
const host = text.regex(
  /^[a-z0-9.-]+(?::\d+)?$/i,
  'Expected a host name such as `agents.example.com`, with a port if it is not the usual one',
);
const origin = text.refine((value) => URL.canParse(value) && new URL(value).origin === value, {
  error: 'Expected an origin such as `https://shop.example.com`, without a path',
});

// Histories, deciders and the audit log have it.
const name = text.regex(/^(?!role:)\P{C}{1,200}$/u, 'Expected a name of up to 200 visible characters, without `role:`');

const key = section({
  name: name.max(100),
  hash: text.regex(
    /^sha256:[0-9a-f]{64}$/,
    'Expected `sha256:` and 64 hexadecimal digits; `holdfast key` makes a key and prints its hash',
  ),
  tenant,
  user: name.exactOptional(),
  scopes: z.array(scope, { error: 'Expected a list of scopes' }).min(1, 'Expected at least one scope'),
  roles: texts(text, 'roles').exactOptional(),
});
const jwt = section({
  jwks: url,
  issuer: text,
  audience: text,
  claims: section({
    tenant: text.exactOptional(),
    user: text.exactOptional(),
    scopes: text.exactOptional(),
    roles: text.exactOptional(),
  }).exactOptional(),
});
const service = text.refine((value) => contractType(value) !== undefined, {
  error: 'Expected the type of a contract, such as `stock.check`',
});
const webhook = section({
  secret: text.check(({ value, issues }) => {
    const message = secretProblem(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  }),
  services: texts(service, 'types of contracts').min(1, 'Expected at least one type of a contract').exactOptional(),
});

/** The HTTP server as temporal.yaml may define it. */
export const gateway = section({
  host: text.exactOptional(),
  port: whole(0, 65_535).exactOptional(),
  hosts: texts(host, 'host names').exactOptional(),
  origins: texts(origin, 'origins').exactOptional(),
  webUi: url.exactOptional(),
  keys: z.array(key, { error: 'Expected a list of keys' }).exactOptional(),
  jwt: jwt.exactOptional(),
  webhooks: named(webhook).exactOptional(),
  limits: section({
    body: whole(1024, 32 * 1024 * 1024).exactOptional(),
    requests: whole(1).exactOptional(),
    streams: whole(1).exactOptional(),
    idle: duration.exactOptional(),
  }).exactOptional(),
});

/** An API key, as the configuration knows it. */
export type GatewayKey = z.output<typeof key>;

/** How tokens of an identity provider are checked. */
export interface GatewayJwt {
  jwks: string;
  issuer: string;
  audience: string;
  /** Names of the claims. */
  claims: { tenant: string; user: string; scopes: string; roles: string };
}

/** A sender of signed events. */
export interface GatewayWebhook {
  /** Signs its events. */
  secret: string;
  /**
   * The services that it answers, by the types of their contracts, such as `stock.check`. It answers no others, and callers
   * need the scope `decide` for these. Missing: it may answer all services, and callers as well.
   */
  services?: readonly string[];
}

/** The HTTP server, with defaults filled in. */
export interface GatewayConfig {
  /** Default 127.0.0.1: this machine only. */
  host: string;
  /** Default 4080. 0: a free one. */
  port: number;
  /** Names that it answers to, besides those of this machine. Empty: on this machine none, elsewhere any. */
  hosts: readonly string[];
  /** Origins of other pages that may use it. */
  origins: readonly string[];
  /** Address of the Temporal Web UI, for links. */
  webUi?: string;
  /** API keys that are accepted. */
  keys: readonly GatewayKey[];
  /** Whose tokens are accepted. Missing: none. */
  jwt?: GatewayJwt;
  /** Senders of webhooks, by the name in the path. */
  webhooks: Readonly<Record<string, GatewayWebhook>>;
  /** What one caller may take. */
  limits: {
    /** Bytes of a request. Default 4 MiB. */
    body: number;
    /** Requests a minute of one key or user. Default 600. */
    requests: number;
    /** Open streams of one key or user. Default 1,000. */
    streams: number;
    /** Milliseconds that a connection may take to send its request, or to take what it is sent. Default 30,000. */
    idle: number;
  };
}

/** Fills in the defaults. */
export function gatewayOf(file: z.output<typeof gateway> = {}): GatewayConfig {
  const { host = '127.0.0.1', port = 4080, hosts = [], origins = [], keys = [], webhooks = {}, jwt, webUi } = file;
  const claims = { tenant: 'tenant', user: 'sub', scopes: 'scope', roles: 'roles', ...jwt?.claims };
  return {
    host,
    port,
    hosts,
    origins,
    keys,
    webhooks,
    ...(webUi === undefined ? {} : { webUi }),
    ...(jwt === undefined ? {} : { jwt: { ...jwt, claims } }),
    limits: { body: 4 * 1024 * 1024, requests: 600, streams: 1000, idle: 30_000, ...file.limits },
  };
}
