/**
 * What a delta says. `stream.clear` withdraws all that this call has shown so far: a new attempt starts over.
 * `tool.progress` is what an MCP server reports while it works on a call; `progress` only grows.
 */
export type DeltaBody =
  | { type: 'stream.text'; text: string }
  | { type: 'stream.reasoning'; text: string }
  | { type: 'stream.tool'; index: number; name: string; arguments: string }
  | { type: 'stream.clear' }
  | { type: 'stream.complete' }
  | { type: 'tool.progress'; toolUseId: string; progress: number; total?: number; message?: string };

/** A piece of an answer under way. Ephemeral: it may be lost, and never enters history. */
export type StreamDelta = DeltaBody & {
  /** The run's id. */
  id: string;
  turn: number;
  /** The model call, unique in the run; for deltas of a tool its toolUseId. */
  callId: string;
  attempt: number;
  /** Counts from 0 in each attempt. */
  seq: number;
};

/** Carries deltas from workers to readers. Publishing never throws and never waits. */
export interface StreamBus {
  /** Hands a delta to whoever reads the run now. */
  publish(delta: StreamDelta): void;
  /** Calls `listener` for each later delta of the run `id`; returns what ends it. */
  subscribe(id: string, listener: (delta: StreamDelta) => void): () => void;
}
