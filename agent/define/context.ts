import type { Json, JsonObject } from '../values/json';

/** Structured logging: fields first, or only a text, as in pino. */
export interface Log {
  /** Shown only with `HOLDFAST_LOG=debug`. */
  debug(fields: object, text?: string): void;
  /** The default level. */
  info(fields: object, text?: string): void;
  /** Something that an operator should look at. */
  warn(fields: object, text?: string): void;
  /** Something that failed. */
  error(fields: object, text?: string): void;
}

/** The context of a tool, a contextBuilder or an outputBuilder. */
export interface Ctx {
  /** The run. */
  readonly id: string;
  /** The call: `t<turn>.<n>`. Only in tools. */
  readonly toolUseId?: string;
  /** Model calls made so far. */
  readonly turn: number;
  /** Who the run belongs to, as its caller said. */
  readonly owner?: string;
  /** What the caller attached; `{}` if nothing. */
  readonly metadata: { readonly [key: string]: Json };
  /** The same for every attempt at this call: pass it to systems that must not act twice. Only in tools. */
  readonly idempotencyKey?: string;
  /** Aborts when the run is cancelled, the time is up, or the worker shuts down. Pass it on. */
  readonly signal: AbortSignal;
  /** Reports the progress of a long job. Holdfast itself sends a heartbeat every second. */
  heartbeat(details?: Json): void;
  /** Writes to the log of the worker. */
  readonly log: Log;
  /** The agent itself: its name and its description. */
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
  /** All agents above this run, the first one first. Used to detect a cycle or a chain that is too deep. */
  lineage: string[];
}
