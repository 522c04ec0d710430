import type { EndReason } from '../protocol/facts/fact';
import type { Json, JsonObject } from '../values/json';

/** The phase of a run. */
export type Phase =
  /** The agent is looked up and the first messages are made. */
  | { at: 'starting' }
  /** It is a conversation that waits for a message. */
  | { at: 'idle' }
  /** It calls the model, or runs the calls of the batch if there are any. */
  | { at: 'working' }
  /** The model in use does not answer. */
  | ({ at: 'outage' } & Outage)
  | ({ at: 'ended' } & RunEnd);

/** A model that does not answer. Times are milliseconds since 1970. `nextAt` is missing during a retry. */
export interface Outage {
  since: number;
  failures: number;
  error: { type: string; message: string };
  nextAt?: number;
  /** A person asked for the call that is being made. */
  asked?: true;
}

/** How a run ended. */
export interface RunEnd {
  reason: EndReason;
  data?: Json;
  error?: { type: string; message: string; data?: JsonObject };
}
