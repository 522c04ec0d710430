import type { ServiceEvent } from '../protocol/event';
import type { Duration } from '../values/duration';
import type { Log } from './context';
import type { EnvReference } from './mcp-server';

/**
 * Sends each event as an HTTP POST, a CloudEvent in structured mode, signed as Standard Webhooks say where there is a
 * `secret`. It is sent again until somebody answers with 2xx; `webhook-id` is the same each time, the id of the event.
 */
export interface WebhookOutlet {
  /** Where to. Without user name and password: they belong into `headers`. Redirects are not followed. */
  url: string;
  /**
   * Signs each attempt: `whsec_` and base64, or any text, of which the UTF-8 is the key. In code by reference only; plain
   * values come from temporal.yaml. Default: no signature.
   */
  secret?: string | EnvReference;
  /** Sent with every request. In code by reference only; plain values come from temporal.yaml. */
  headers?: { readonly [name: string]: string | EnvReference };
  /** How long one attempt may take, at most 50 s. Default 30 s. */
  timeout?: Duration;
}

/** Sends each event as a signal to a workflow of the same namespace. */
export interface SignalOutlet {
  /** Which workflow: its id, or what makes the id of the event. */
  workflowId: string | ((event: ServiceEvent) => string);
  /** Name of the signal. Default `serviceAnswer`, which runs of agents take. */
  signal?: string;
}

/** What a function that is an outlet gets beside the event. */
export interface OutletContext {
  /** Aborts when the run is cancelled, the time is up, or the worker shuts down. Pass it on. */
  readonly signal: AbortSignal;
  /** The same for every attempt at this event: hand it to whatever must not act twice. */
  readonly idempotencyKey: string;
  /** Writes into the log of the worker. */
  readonly log: Log;
}

/**
 * Sends each event by code of one's own, a queue say. What it throws is tried again, unless that is an
 * `ApplicationFailure` which forbids it.
 */
export type FunctionOutlet = (event: ServiceEvent, ctx: OutletContext) => void | Promise<void>;

/** How events leave a worker: as a webhook, as a signal to a workflow, or through a function. */
export type Outlet = WebhookOutlet | SignalOutlet | FunctionOutlet;

export function isWebhook(outlet: WebhookOutlet | SignalOutlet): outlet is WebhookOutlet {
  return 'url' in outlet;
}

/** Milliseconds that one attempt of a webhook takes unless it says otherwise, and at most: the attempt as a whole has 60 s. */
export const WEBHOOK_TIMEOUT = { default: 30_000, most: 50_000 } as const;
