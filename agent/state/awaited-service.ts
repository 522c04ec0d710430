import type { RunReport } from '../budget/report';
import type { Json } from '../values/json';

/**
 * A service that was called. Its answer is not checked yet: answers are checked once all calls of the batch have
 * settled. Times are milliseconds since 1970.
 */
export type AwaitedService = ServiceRequest &
  ({ status: 'awaited' } | { status: 'answered'; answer: ServiceAnswer; answeredAt: number });

/** How a service was called. */
export interface ServiceRequest {
  /** The child workflow's id, or the id of the event; for a signal service the idempotency key. */
  ref: string;
  /** How it was reached. */
  kind: 'child' | 'agent' | 'event' | 'signal';
  since: number;
  expiresAt?: number;
  /** The domain that the call went to, where the service names several. */
  domain?: string;
}

/** The answer of a service: data or a failure. */
export interface ServiceAnswer {
  /** Type of the event. Missing for plain data. */
  type?: string;
  /** `dataschema` of the event, if it has one. */
  dataschema?: string;
  data?: Json;
  error?: string;
  /** Cost in execution units, if the event has one. */
  executionUnits?: number;
  /** What the run of an agent has used, if it says so. */
  spent?: RunReport;
}
