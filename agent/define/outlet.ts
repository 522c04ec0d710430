import type { ServiceEvent } from '../protocol/event';
import type { Duration } from '../values/duration';
import type { Log } from './context';
import type { EnvReference } from './mcp-server';

/**
 * Sends each event as an HTTP POST, a CloudEvent in structured mode. With a `secret` it is signed according to Standard
 * Webhooks. It is sent again until the receiver answers with 2xx. `webhook-id` is the id of the event each time.
 */
export interface WebhookOutlet {
  /** The address. Without user name and password: put them in `headers`. Redirects are not followed. */
  url: string;
  /**
   * Signs each attempt: `whsec_` and base64, or any text, whose UTF-8 bytes are the key. In code by reference only;
   * plain values are for temporal.yaml. Default: no signature.
   */
  secret?: string | EnvReference;
  /** Sent with every request. In code by reference only; plain values are for temporal.yaml. */
  headers?: { readonly [name: string]: string | EnvReference };
  /** How long one attempt may take, at most 50 s. Default 30 s. */
  timeout?: Duration;
}

/** Sends each event as a signal to a workflow in the same namespace. */
export interface SignalOutlet {
  /** The id of the workflow, or a function that makes it from the event. */
  workflowId: string | ((event: ServiceEvent) => string);
  /** Name of the signal. Default `serviceAnswer`, which runs of agents accept. */
  signal?: string;
}

/** The second argument of an outlet function. */
export interface OutletContext {
  /** Aborts when the run is cancelled, the time is up, or the worker shuts down. Pass it on. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this event: pass it to systems that must not act twice. */
  readonly idempotencyKey: string;
  /** Writes to the log of the worker. */
  readonly log: Log;
}

/**
 * Sends each event with custom code, such as to a queue. If it throws, it is retried, unless it throws a non-retryable
 * `ApplicationFailure`.
 */
export type FunctionOutlet = (event: ServiceEvent, ctx: OutletContext) => void | Promise<void>;

/** How events leave a worker: as a webhook, as a signal to a workflow, or through a function. */
export type Outlet = WebhookOutlet | SignalOutlet | FunctionOutlet;

export function isWebhook(outlet: WebhookOutlet | SignalOutlet): outlet is WebhookOutlet {
  return 'url' in outlet;
}

/** Milliseconds that one request of a webhook may take, by default and at most: the whole attempt has 60 s. */
export const WEBHOOK_TIMEOUT = { default: 30_000, most: 50_000 } as const;
