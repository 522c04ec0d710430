import type { Json, JsonObject } from '../values/json';

/** Structured logging: fields first or a text alone, as in pino. */
export interface Log {
  /** Shown with `HOLDFAST_LOG=debug` only. */
  debug(fields: object, text?: string): void;
  /** The usual level. */
  info(fields: object, text?: string): void;
  /** Something that somebody should look at. */
  warn(fields: object, text?: string): void;
  /** Something that failed. */
  error(fields: object, text?: string): void;
}

/** What every function of a user's gets: tools, contextBuilder and outputBuilder alike. */
export interface Ctx {
  /** The run. */
  readonly id: string;
  /** The call, in tools: `t<turn>.<n>`. */
  readonly toolUseId?: string;
  /** Model calls made so far. */
  readonly turn: number;
  /** Who the run belongs to, as its caller said. */
  readonly owner?: string;
  /** What the caller attached; `{}` where nothing was. */
  readonly metadata: { readonly [key: string]: Json };
  /** The same for every attempt at this call: hand it to whatever must not act twice. In tools. */
  readonly idempotencyKey?: string;
  /** Aborts when the run is cancelled, the time is up, or the worker shuts down. Pass it on. */
  readonly signal: AbortSignal;
  /** Says that a long job is alive and how far it is. Holdfast itself sends a heartbeat every second. */
  heartbeat(details?: Json): void;
  /** Writes into the log of the worker. */
  readonly log: Log;
  /** The agent itself: its name, and what it says of itself. */
  readonly selfInfo: { readonly agent: string; readonly description?: string };
  /** The call of another agent's run that started this one. */
  readonly delegatedBy?: DelegatedBy;
  /** Headers of the caller, such as `traceparent`. */
  readonly headers: JsonObject;
}

/** The call of another agent's run that started a run. */
export interface DelegatedBy {
  /** Name of that agent. */
  agent: string;
  /** Its run. */
  id: string;
  /** Its call, which this run's answer settles. */
  toolUseId: string;
  /** All agents above this run, the first one first: what a cycle, or too deep a chain, is told by. */
  lineage: string[];
}
