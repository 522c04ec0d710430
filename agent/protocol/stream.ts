/** How far a tool is. `progress` only grows; `total` is where it ends, if that is known. */
export interface ToolProgress {
  progress: number;
  total?: number;
  /** At most 500 characters. */
  message?: string;
}

/**
 * The content of a delta. `stream.clear` withdraws everything that this call has shown so far: a new attempt starts
 * over, or the text turns out to be reasoning, which follows. `tool.progress` is what an MCP server reports while it works on a call.
 */
export type DeltaBody =
  | { type: 'stream.text'; text: string }
  | { type: 'stream.reasoning'; text: string }
  | { type: 'stream.tool'; index: number; name: string; arguments: string }
  | { type: 'stream.clear' }
  | { type: 'stream.complete' }
  | ({ type: 'tool.progress'; toolUseId: string } & ToolProgress);

/** A piece of an answer in progress. It is ephemeral: it may be lost and is never in history. */
export type StreamDelta = DeltaBody & {
  /** The run's id. */
  id: string;
  turn: number;
  /** The model call, unique in the run. For deltas of a tool: its toolUseId. */
  callId: string;
  attempt: number;
  /** Counts from 0 in each attempt. */
  seq: number;
  /** The first number, if several pieces came as this one: it stands for `from` to `seq`. */
  from?: number;
  /** Number of the last fact before the model call. Readers get that first. Missing for a tool, and from older workers. */
  after?: number;
};

/** Number of the first piece that a delta stands for. */
export function firstOf({ from, seq }: StreamDelta): number {
  return from ?? seq;
}

/** Carries deltas from workers to readers. Publishing never throws and never waits. */
export interface StreamBus {
  /** Sends a delta to all current readers of the run. */
  publish(delta: StreamDelta): void;
  /**
   * Calls `listener` for each later delta of the run `id`. A bus that keeps the answer in progress gives that first, in as
   * few deltas as possible; with one that does not, new readers get that answer with its message. Returns a function that
   * ends the subscription.
   */
  subscribe(id: string, listener: (delta: StreamDelta) => void): () => void;
}
